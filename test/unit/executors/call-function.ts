import { digestBytes } from '../../../schemas/digest.ts';
import type {
  BuiltInFunction,
  FunctionInput,
  FunctionResult,
} from '../../../functions/executors/built-in-function.ts';

export function jsonInput(name: string, value: unknown): FunctionInput {
  return input(name, 'application/json', JSON.stringify(value));
}

export function input(
  name: string,
  mediaType: string,
  content: string | Uint8Array,
): FunctionInput {
  const bytes = typeof content === 'string' ? Buffer.from(content, 'utf8') : content;
  return { name, filename: null, mediaType, sha256: digestBytes(bytes), bytes };
}

export async function callFunction(
  operation: BuiltInFunction,
  params: unknown,
  inputs: Record<string, FunctionInput | FunctionInput[]>,
  mediaType = 'application/json',
): Promise<FunctionResult> {
  return await operation.run({ params, inputs, gives: { result: { mediaType } } });
}

/** The text of the one output. Throws the failure, so that a test shows it. */
export function readOutput(result: FunctionResult): string {
  if (result.kind === 'failed') throw new Error(`${result.code}: ${result.detail}`);
  const output = result.outputs['result'];
  if (output === undefined) throw new Error('there is no output named result');
  return Buffer.from(output.bytes).toString('utf8');
}

export function readFailure(result: FunctionResult): string {
  return result.kind === 'failed' ? `${result.code}: ${result.detail}` : readOutput(result);
}
