import { refuseUsage, reportUnreachable } from '../command-failure.ts';
import type { Target } from './choose-target.ts';

interface Credentials {
  accessKeyId: string;
  secretAccessKey: string;
  sessionToken?: string | undefined;
}

export type CredentialSource = () => Promise<Credentials>;

/**
 * For a local stack: WINDLASS_LOCAL_ACCESS_KEY_ID and its two companions, else the stack's root; the shell's AWS
 * variables are not looked at. For a deployed one: the usual chain of AWS.
 * https://docs.aws.amazon.com/sdkref/latest/guide/standardized-credentials.html
 */
export function resolveCredentials(
  target: Target,
  profile: string | undefined,
  env: NodeJS.ProcessEnv,
): CredentialSource {
  if (target.local !== undefined) {
    if (profile !== undefined) {
      throw refuseUsage(
        '--profile has no meaning for a local stack',
        'leave it out; WINDLASS_LOCAL_ACCESS_KEY_ID and WINDLASS_LOCAL_SECRET_ACCESS_KEY name another caller',
      );
    }
    const credentials = chooseLocal(target.local, env);
    return () => Promise.resolve(credentials);
  }
  return createChain(target.region, profile);
}

function chooseLocal(
  root: { accessKeyId: string; secretAccessKey: string },
  env: NodeJS.ProcessEnv,
): Credentials {
  const accessKeyId = env['WINDLASS_LOCAL_ACCESS_KEY_ID'];
  const secretAccessKey = env['WINDLASS_LOCAL_SECRET_ACCESS_KEY'];
  const sessionToken = env['WINDLASS_LOCAL_SESSION_TOKEN'];
  if (accessKeyId === undefined && secretAccessKey === undefined) {
    return { accessKeyId: root.accessKeyId, secretAccessKey: root.secretAccessKey };
  }
  if (accessKeyId === undefined || secretAccessKey === undefined) {
    throw reportUnreachable(
      'only one half of the local credentials is set',
      'set both WINDLASS_LOCAL_ACCESS_KEY_ID and WINDLASS_LOCAL_SECRET_ACCESS_KEY, or neither',
    );
  }
  return { accessKeyId, secretAccessKey, sessionToken };
}

function createChain(region: string, profile: string | undefined): CredentialSource {
  let chain: CredentialSource | undefined;
  return async () => {
    if (chain === undefined) {
      const { fromNodeProviderChain } = await import('@aws-sdk/credential-providers');
      chain = fromNodeProviderChain({
        ...(profile !== undefined && { profile }),
        clientConfig: { region },
      });
    }
    try {
      return await chain();
    } catch (error) {
      throw reportUnreachable(
        `no AWS credentials were found${profile === undefined ? '' : ` for profile ${profile}`}`,
        'run `aws sso login` or `aws configure`, or set AWS_PROFILE',
        error,
      );
    }
  };
}
