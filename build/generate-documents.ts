import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { format } from 'prettier';
import { z } from 'zod';
import { apiRoutes, type ApiRoute } from '../schemas/api-routes.ts';
import { plan } from '../schemas/plan.ts';
import { repositoryRoot } from './repository-root.ts';

/** The JSON Schema of plans, for editors. */
function renderPlanSchema(): unknown {
  return {
    ...z.toJSONSchema(plan, { io: 'input', unrepresentable: 'any' }),
    title: 'Windlass plan',
  };
}

function renderSchema(schema: z.ZodType, io: 'input' | 'output'): unknown {
  const rendered: Record<string, unknown> = {
    ...z.toJSONSchema(schema, { io, unrepresentable: 'any' }),
  };
  delete rendered['$schema'];
  return rendered;
}

function renderOperation(route: ApiRoute): unknown {
  const names = [...route.path.matchAll(/\{([a-z]+)\}/g)].map((match) => match[1] ?? '');
  const text = { type: 'string' };
  return {
    operationId: route.id,
    summary: route.summary,
    parameters: [
      ...names.map((name) => ({ name, in: 'path', required: true, schema: text })),
      ...(route.headers ?? []).map((header) => ({ ...header, in: 'header', schema: text })),
      ...(route.query ?? []).map((query) => ({
        ...query,
        in: 'query',
        required: false,
        schema: text,
      })),
    ],
    ...(route.body === undefined
      ? {}
      : {
          requestBody: {
            required: true,
            content: { 'application/json': { schema: renderSchema(route.body, 'input') } },
          },
        }),
    responses: Object.fromEntries(
      route.answers.map(({ status, description, schema }) => [
        String(status),
        {
          description,
          content: {
            [status < 400 ? 'application/json' : 'application/problem+json']: {
              schema: renderSchema(schema, 'output'),
            },
          },
        },
      ]),
    ),
  };
}

function renderOpenApi(): unknown {
  const paths: Record<string, Record<string, unknown>> = {};
  for (const route of apiRoutes) {
    paths[route.path] = { ...paths[route.path], [route.method]: renderOperation(route) };
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Windlass', version: '1', license: { name: 'Apache-2.0' } },
    security: [{ sigv4: [] }],
    paths,
    components: {
      securitySchemes: {
        sigv4: {
          type: 'apiKey',
          in: 'header',
          name: 'Authorization',
          'x-amazon-apigateway-authtype': 'awsSigv4',
        },
      },
    },
  };
}

const documents = {
  'docs/reference/plan.schema.json': renderPlanSchema(),
  'docs/reference/openapi.json': renderOpenApi(),
};

const check = process.argv.includes('--check');
let stale = 0;
for (const [path, document] of Object.entries(documents)) {
  const file = join(repositoryRoot, path);
  const text = await format(JSON.stringify(document), { parser: 'json', printWidth: 100 });
  if (!check) {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
    continue;
  }
  if (readOrNothing(file) === text) continue;
  stale += 1;
  process.stderr.write(`${path} does not say what schemas/ says: run npm run generate\n`);
}
process.exitCode = stale === 0 ? 0 : 1;

function readOrNothing(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}
