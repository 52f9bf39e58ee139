import { describe, expect, it } from 'vitest';
import { createSchemaValidator } from '../../../functions/dependencies/create-schema-validator.ts';
import { describeSchemaValidatorContract } from '../../contract/schema-validator.contract.ts';

describeSchemaValidatorContract('ajv', createSchemaValidator);

describe('ajv', () => {
  const validate = (schema: Record<string, unknown>, value: unknown) =>
    createSchemaValidator().validate(schema, value);

  it('knows JSON Schema 2020-12 and its formats', () => {
    const schema = { prefixItems: [{ type: 'string', format: 'date' }], items: false };
    expect(validate(schema, ['2026-03-01'])).toEqual([]);
    expect(validate(schema, ['yesterday'])).toHaveLength(1);
    expect(validate(schema, ['2026-03-01', 'more'])).toHaveLength(1);
  });

  it('names the property that should not be there', () => {
    const schema = { type: 'object', additionalProperties: false };
    expect(validate(schema, { extra: 1 })).toEqual([
      '/ must NOT have additional properties: extra',
    ]);
  });

  it('calls a schema that cannot be used a fault', () => {
    expect(validate({ type: 'nonsense' }, 1).join()).toContain('the JSON Schema cannot be used');
    expect(validate({ $ref: 'https://example.invalid/schema' }, 1)).toHaveLength(1);
    expect(validate({ requird: ['a'] }, {})).toHaveLength(1);
  });

  it('validates with two schemas that have the same $id', () => {
    const validator = createSchemaValidator();
    const $id = 'https://example.invalid/one';
    expect(validator.validate({ $id, type: 'string' }, 1)).toHaveLength(1);
    expect(validator.validate({ $id, type: 'number' }, 1)).toEqual([]);
  });

  it('matches each text with its own pattern', () => {
    const schema = { properties: { a: { pattern: '^a$' }, b: { pattern: '^b$' } } };
    expect(validate(schema, { a: 'a', b: 'b' })).toEqual([]);
    expect(validate(schema, { a: 'a', b: 'a' })).toHaveLength(1);
  });

  it('ends a pattern that backtracks for ever, and lets an ordinary one match', () => {
    expect(validate({ pattern: '^[a-z]+$' }, 'abc')).toEqual([]);
    expect(validate({ pattern: '^(a+)+$' }, `${'a'.repeat(50)}!`).join()).toContain(
      'did not end within',
    );
  });
});
