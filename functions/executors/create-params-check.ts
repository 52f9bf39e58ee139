import { z } from 'zod';
import type { JsonObject } from '../../schemas/json.ts';
import type { Fault } from '../../schemas/problem.ts';
import type { Registry } from '../../schemas/registry.ts';
import { listParamFaults } from './check-params.ts';
import { registryOfFunctions } from './registry-of-functions.ts';

/** Every fault of a node's params for an executor, by code `PARAMS_INVALID` and JSON pointer into the params. */
export type CheckParams = (call: {
  executor: string;
  operation: string;
  params: JsonObject;
  /** Names of the inputs that the node binds. */
  inputs: readonly string[];
}) => Fault[];

/**
 * A function checks its params by its own code, as it does when it runs; a tool by the JSON Schema that the registry has
 * of them. One that has neither takes anything.
 */
export function createParamsCheck(registry: Pick<Registry, 'signatures'>): CheckParams {
  const schemas = new Map<string, z.ZodType>();
  for (const [executor, { params }] of Object.entries(registry.signatures)) {
    if (params !== null) schemas.set(executor, z.fromJSONSchema(params));
  }
  return ({ executor, operation, params, inputs }) => {
    const schema = schemas.get(executor);
    const faults =
      schema === undefined
        ? (registryOfFunctions.get(operation)?.checkParams(params, inputs) ?? [])
        : listParamFaults(schema, params);
    return faults.map((fault) => ({ ...fault, code: 'PARAMS_INVALID' }));
  };
}
