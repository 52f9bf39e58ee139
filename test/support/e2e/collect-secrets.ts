import { GenerateMacCommand } from '@aws-sdk/client-kms';
import { GetFunctionConfigurationCommand } from '@aws-sdk/client-lambda';
import { mintToken, type TokenKind } from '../../../functions/domain/attempt/mint-token.ts';
import type { E2eStack } from './use-stack.ts';

export interface Secret {
  what: string;
  value: string;
}

const kinds: readonly TokenKind[] = ['claim-ticket', 'attempt', 'cancellation', 'session'];

/** Every token of these attempts of a run, derived as the controller derives them, which root of the account may. */
export async function deriveTokens(
  stack: E2eStack,
  runId: string,
  attemptIds: readonly string[],
): Promise<Secret[]> {
  const { Environment } = await stack.aws.lambda.send(
    new GetFunctionConfigurationCommand({ FunctionName: 'windlass-reduce-run' }),
  );
  const { Mac } = await stack.aws.kms.send(
    new GenerateMacCommand({
      KeyId: Environment?.Variables?.['WINDLASS_TOKEN_KEY_ARN'],
      MacAlgorithm: 'HMAC_SHA_256',
      Message: Buffer.from(`windlass-run:${runId}`),
    }),
  );
  if (Mac === undefined) throw new Error('KMS gave no MAC');
  return attemptIds.flatMap((attemptId) =>
    kinds.map((kind) => ({
      what: `${kind} of ${attemptId}`,
      value: mintToken(Mac, kind, attemptId),
    })),
  );
}

/** Which of the secrets stand in the text. */
export function findSecrets(secrets: readonly Secret[], text: string | Buffer): string[] {
  return secrets.filter(({ value }) => text.includes(value)).map(({ what }) => what);
}
