/** JSON Schema 2020-12. */
export interface SchemaValidator {
  /** Faults as one line each, at most 20; empty when the value fits. */
  validate(schema: Record<string, unknown>, value: unknown): string[];
}
