import { compileSchema } from './compile-schema.ts';
import { FunctionFailure } from './function-failure.ts';

/** Why nothing can be checked against the JSON Schema, as a clause; undefined when it can be used. */
export function findSchemaFault(schema: unknown): string | undefined {
  try {
    compileSchema(schema);
    return undefined;
  } catch (error) {
    if (!(error instanceof FunctionFailure)) throw error;
    return error.message.replace(/^the JSON Schema/, 'it');
  }
}
