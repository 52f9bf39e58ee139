import { listChoices } from '../../../schemas/describe-expected.ts';
import type { JsonObject } from '../../../schemas/json.ts';
import type { AcceptanceCheck } from '../../../schemas/plan.ts';
import type { Fault } from '../../../schemas/problem.ts';
import { makeFault } from '../../../schemas/make-fault.ts';
import type { PlanContext } from './plan-context.ts';

/** To compile a schema takes milliseconds; a plan with thousands of them would wait for its answer. */
const schemasLookedAt = 50;

/**
 * ACCEPT_UNKNOWN_OUTPUT: a check of an output that the node does not give could never pass. ACCEPT_BAD_SCHEMA: one
 * against a JSON Schema that cannot be used could not either, and would be paid for first.
 */
export function checkAcceptance(context: PlanContext): Fault[] {
  const findSchemaFault = rememberSchemas(context);
  return context.nodes.flatMap(({ index, node }) =>
    (node.contract?.accept ?? []).flatMap((check, place) => {
      const path = ['nodes', index, 'contract', 'accept', place];
      const outputs = Object.keys(node.gives);
      return [
        ...(outputs.includes(check.output) ? [] : [unknownOutput(context, path, check, outputs)]),
        ...checkSchema(path, check, findSchemaFault),
      ];
    }),
  );
}

function unknownOutput(
  context: PlanContext,
  path: (string | number)[],
  check: AcceptanceCheck,
  outputs: string[],
): Fault {
  return makeFault([...path, 'output'], check.output, {
    code: 'ACCEPT_UNKNOWN_OUTPUT',
    message: `the node gives no "${check.output}"`,
    fix: `Write ${outputs.length === 0 ? 'the output under gives' : listChoices(outputs)}${context.suggest(check.output, outputs)}`,
  });
}

function checkSchema(
  path: (string | number)[],
  check: AcceptanceCheck,
  findSchemaFault: (schema: JsonObject) => string | undefined,
): Fault[] {
  if (check.check !== 'json_schema') return [];
  const schema = check.schema as JsonObject;
  const fault = findSchemaFault(schema);
  if (fault === undefined) return [];
  return [
    makeFault([...path, 'schema'], schema, {
      code: 'ACCEPT_BAD_SCHEMA',
      message: `the JSON Schema is of no use, because ${fault}`,
      fix: 'Write a JSON Schema of draft 2020-12.',
    }),
  ];
}

function rememberSchemas({ findSchemaFault }: PlanContext) {
  const found = new Map<string, string | undefined>();
  return (schema: JsonObject): string | undefined => {
    const key = JSON.stringify(schema);
    if (!found.has(key) && found.size < schemasLookedAt) found.set(key, findSchemaFault?.(schema));
    return found.get(key);
  };
}
