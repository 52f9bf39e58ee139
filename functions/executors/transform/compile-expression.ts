import jsonata from 'jsonata';
import { renderCanonical } from '../../../schemas/digest.ts';
import { FunctionFailure } from '../function-failure.ts';
import { functionLimits } from '../function-limits.ts';
import { BoundedRegExp } from '../match-within-limit.ts';
import { createEvaluationGuard } from './evaluation-guard.ts';
import { refusedFunctions } from './find-refused-functions.ts';

/** Dates that a picture leaves open are filled from this instant instead of from the clock. */
const fixedInstant = new Date(0);

/** A JSONata expression that is bounded and gives equal results for equal data. Use each compiled one once. */
export function compileExpression(text: string): jsonata.Expression {
  const expression = jsonata(text, {
    timeout: functionLimits.expressionMilliseconds,
    stack: functionLimits.expressionDepth,
    sequence: functionLimits.sequenceEntries,
    RegexEngine: BoundedRegExp as unknown as RegExpConstructor,
  });
  for (const name of refusedFunctions) {
    expression.registerFunction(name, () => {
      throw new FunctionFailure(
        'PARAMS_INVALID',
        `$${name} is not available: equal inputs must give equal results; pass the value as a param`,
      );
    });
  }
  expression.registerFunction('pad', pad, '<s-ns?:s>');
  expression.registerFunction('join', join, '<a<s>s?:s>');
  expression.registerFunction('distinct', keepDistinct, '<x:x>');
  const guard = createEvaluationGuard(fixedInstant);
  // The hooks are looked up by symbol; the typings know names only.
  const assign = expression.assign.bind(expression) as unknown as (
    name: symbol,
    value: unknown,
  ) => void;
  assign(Symbol.for('jsonata.__evaluate_entry'), guard.enter);
  assign(Symbol.for('jsonata.__evaluate_exit'), guard.leave);
  return expression;
}

// JSONata's own versions of these three allocate before they can be stopped, or compare every pair.

function pad(text: string | undefined, width: number, fill = ' '): string | undefined {
  if (text === undefined) return undefined;
  const missing = Math.trunc(Math.abs(width)) - Array.from(text).length;
  if (missing <= 0) return text;
  checkLength(missing + text.length);
  const unit = Array.from(fill === '' ? ' ' : fill);
  const padding = Array.from({ length: missing }, (_, index) => unit[index % unit.length]).join('');
  return width >= 0 ? text + padding : padding + text;
}

function join(texts: string[] | undefined, separator = ''): string | undefined {
  if (texts === undefined) return undefined;
  checkLength(texts.reduce((sum, text) => sum + text.length + separator.length, 0));
  return texts.join(separator);
}

function keepDistinct(value: unknown): unknown {
  if (!Array.isArray(value) || value.length <= 1) return value;
  const seen = new Set<string>();
  const kept = value.filter((entry: unknown) => {
    const key = renderCanonical(entry);
    if (seen.has(key)) return false;
    seen.add(key);
    return true;
  });
  return 'sequence' in value ? Object.assign(kept, { sequence: true }) : kept;
}

function checkLength(characters: number): void {
  if (characters <= functionLimits.stringCharacters) return;
  throw new FunctionFailure(
    'LIMIT_EXCEEDED',
    `the expression builds a text of ${String(characters)} characters; at most ${String(functionLimits.stringCharacters)} are allowed`,
  );
}
