import type { SchemaValidator } from '../../ports/schema-validator.ts';

/** Knows `type`, `required` and `properties` of JSON Schema, and nothing else. */
export class InMemorySchemaValidator implements SchemaValidator {
  validate(schema: Record<string, unknown>, value: unknown): string[] {
    return findFaults(schema, value, '').slice(0, 20);
  }
}

function findFaults(schema: Record<string, unknown>, value: unknown, path: string): string[] {
  const place = path === '' ? '/' : path;
  const { type, required, properties } = schema;
  if (typeof type === 'string' && nameType(value) !== type) return [`${place} must be ${type}`];
  if (typeof value !== 'object' || value === null) return [];
  const fields = value as Record<string, unknown>;
  const faults: string[] = [];
  for (const name of Array.isArray(required) ? (required as string[]) : []) {
    if (!Object.hasOwn(fields, name)) faults.push(`${place} must have ${name}`);
  }
  for (const [name, part] of Object.entries((properties ?? {}) as Record<string, unknown>)) {
    if (!Object.hasOwn(fields, name)) continue;
    faults.push(...findFaults(part as Record<string, unknown>, fields[name], `${path}/${name}`));
  }
  return faults;
}

function nameType(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}
