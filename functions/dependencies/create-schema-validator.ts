import { compileSchema } from '../executors/compile-schema.ts';
import type { SchemaValidator } from '../ports/schema-validator.ts';

const faultsListed = 20;

/** The one JSON Schema engine: what admits a contract is what judges by it. A schema that cannot be used is one fault. */
export function createSchemaValidator(): SchemaValidator {
  return {
    validate(schema, value) {
      try {
        const findings = compileSchema(schema)(value);
        return findings
          .slice(0, faultsListed)
          .map(({ path, message }) => `${path === '' ? '/' : path} ${message}`);
      } catch (error) {
        const reason = error instanceof Error ? error.message : String(error);
        const known = 'the JSON Schema cannot be used';
        return [reason.startsWith(known) ? reason : `${known}: ${reason}`];
      }
    },
  };
}
