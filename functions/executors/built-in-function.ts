import type { Fault } from '../../schemas/problem.ts';

/** One resolved input of a level-1 function. The caller has verified the bytes against `sha256` (E51). */
export interface FunctionInput {
  name: string;
  filename: string | null;
  mediaType: string;
  sha256: string;
  bytes: Uint8Array;
}

export interface FunctionCall {
  params: unknown;
  /** An array where the contract binds several artifacts to one name, in the order of the request. */
  inputs: Record<string, FunctionInput | FunctionInput[]>;
  /** The outputs that the contract declares, by name. */
  gives: Record<string, { mediaType: string }>;
}

export type FunctionFailureCode =
  'INPUT_INVALID' | 'PARAMS_INVALID' | 'LIMIT_EXCEEDED' | 'VALIDATION_FAILED';

interface FunctionOutput {
  bytes: Uint8Array;
  mediaType: string;
}

export type FunctionResult =
  | { kind: 'outputs'; outputs: Record<string, FunctionOutput> }
  | { kind: 'failed'; code: FunctionFailureCode; detail: string };

/**
 * A level-1 executor (E1): controller code that gives equal bytes for equal calls. It reads no clock, no environment and
 * no file, and asks no network.
 */
export interface BuiltInFunction {
  operation: string;
  /** Moves with every change that can alter an output, so that results are not cached across it (E17). */
  version: string;
  /**
   * Every fault of the params at once, each with its path in them; empty when they are good. Runs at admission of a plan,
   * when of the inputs no more than their names is known.
   */
  checkParams(params: unknown, inputs: readonly string[]): Fault[];
  /** Never throws for bad input: an expected "no" is a `failed` result. */
  run(call: FunctionCall): Promise<FunctionResult>;
}
