import { Script, createContext } from 'node:vm';
import { Ajv2020, type ErrorObject } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import type { SchemaValidator } from '../ports/schema-validator.ts';

const faultsListed = 20;
/** One match of a `pattern`: it comes from a plan and may backtrack for hours. */
const matchMilliseconds = 100;

/** JSON Schema 2020-12 by ajv. A schema that cannot be used is one fault; nothing is fetched. */
export function createAjvSchemaValidator(): SchemaValidator {
  return {
    validate(schema, value) {
      try {
        // A fresh instance each time: one that lives on would keep every schema, and mix up equal `$id`s.
        const ajv = new Ajv2020({
          allErrors: true,
          strictTypes: false,
          strictTuples: false,
          logger: false,
          code: { regExp: createBoundedPattern },
        });
        addFormats.default(ajv);
        const check = ajv.compile(schema);
        if (check(value)) return [];
        return (check.errors ?? []).slice(0, faultsListed).map(renderFault);
      } catch (error) {
        const reason = error instanceof Error ? error.message : String(error);
        return [`the JSON Schema cannot be used: ${reason}`];
      }
    },
  };
}

function renderFault({ instancePath, message, params }: ErrorObject): string {
  const named = params as Record<string, unknown>;
  const property = named['additionalProperty'] ?? named['unevaluatedProperty'];
  const suffix = typeof property === 'string' ? `: ${property}` : '';
  return `${instancePath === '' ? '/' : instancePath} ${message ?? 'is not valid'}${suffix}`;
}

const slot: { work: () => boolean } = { work: () => false };
const context = createContext(slot);
const script = new Script('work()');

/** Only the engine's own interrupt stops a match. ajv asks for `code` but writes it only into generated modules. */
const createBoundedPattern = Object.assign(
  (pattern: string, flags: string) => {
    const expression = new RegExp(pattern, flags);
    return {
      // ajv keeps one matcher for all that render alike.
      toString: () => expression.toString(),
      test(text: string): boolean {
        slot.work = () => expression.test(text);
        try {
          return script.runInContext(context, { timeout: matchMilliseconds }) as boolean;
        } catch (error) {
          const limit = `${String(matchMilliseconds)} ms`;
          throw new Error(`the pattern ${pattern} takes more than ${limit}`, { cause: error });
        }
      },
    };
  },
  { code: 'new RegExp' },
);
