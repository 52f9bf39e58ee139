import type { ExpandedNode } from '../../../schemas/expanded-plan.ts';
import type { AcceptanceCheck } from '../../../schemas/plan.ts';
import type { AcceptanceResult } from '../../domain/admission/admission-facts.ts';
import type { SchemaValidator } from '../../ports/schema-validator.ts';
import type { ReadOutput } from './measure-outputs.ts';

/** Makes every acceptance check of the contract against the stored bytes; one without bytes fails (p18). */
export function evaluateAcceptance(
  schemas: SchemaValidator,
  node: ExpandedNode,
  outputs: Record<string, ReadOutput | undefined>,
): AcceptanceResult[] {
  return node.contract.accept.map((check) => {
    const bytes = outputs[check.output]?.bytes ?? null;
    const fault = bytes === null ? 'there are no bytes to check' : findFault(schemas, check, bytes);
    const { output } = check;
    return { check: check.check, output, passed: fault === undefined, detail: fault ?? '' };
  });
}

function findFault(
  schemas: SchemaValidator,
  check: AcceptanceCheck,
  bytes: Uint8Array,
): string | undefined {
  switch (check.check) {
    case 'not_empty':
      return bytes.byteLength > 0 ? undefined : 'it is empty';
    case 'contains':
      return Buffer.from(bytes).includes(check.text, 0, 'utf8')
        ? undefined
        : 'it does not contain the text';
    case 'json_schema':
      return findSchemaFault(schemas, check.schema, bytes);
  }
}

function findSchemaFault(
  schemas: SchemaValidator,
  schema: Record<string, unknown>,
  bytes: Uint8Array,
): string | undefined {
  let value: unknown;
  try {
    value = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    return 'it is not JSON';
  }
  const [first, ...others] = schemas.validate(schema, value);
  if (first === undefined) return undefined;
  return others.length === 0 ? first : `${first} (and ${String(others.length)} more)`;
}
