import { z } from 'zod';
import type { JsonSchema } from 'aws-cdk-lib/aws-apigateway';

/** Keywords that API Gateway's draft 4 lacks or reads otherwise; the function checks them again with zod. */
const leftOut = new Set(['$schema', 'pattern', 'format', 'propertyNames', 'id']);

function simplify(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(simplify);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key, inner]) => !(leftOut.has(key) && typeof inner !== 'object'))
      .filter(([key]) => key !== 'propertyNames')
      .map(([key, inner]) => [key, simplify(inner)]),
  );
}

/**
 * The shape of a body for API Gateway's own check, which spares a call for what is plainly wrong.
 * https://docs.aws.amazon.com/apigateway/latest/developerguide/api-gateway-method-request-validation.html
 */
export function renderRequestModel(body: z.ZodType): JsonSchema {
  const schema = z.toJSONSchema(body, { target: 'draft-4', io: 'input', unrepresentable: 'any' });
  return simplify(schema) as JsonSchema;
}
