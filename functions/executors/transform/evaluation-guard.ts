import { FunctionFailure } from '../function-failure.ts';
import { functionLimits } from '../function-limits.ts';

interface Environment {
  timestamp: Date;
}

interface EvaluationGuard {
  enter: (expression: unknown, input: unknown, environment: Environment) => void;
  leave: (expression: unknown, input: unknown, environment: Environment, result: unknown) => void;
}

/**
 * Counts steps and measures every intermediate value, because JSONata's own time-out is looked at only between steps:
 * a value that shares its parts can be small in memory and take hours to compare or to print.
 */
export function createEvaluationGuard(instant: Date): EvaluationGuard {
  let steps = 0;
  const measure = createMeasure();
  return {
    enter(_expression, _input, environment) {
      steps += 1;
      if (steps > functionLimits.expressionSteps) {
        throw exceed(`needs more than ${String(functionLimits.expressionSteps)} evaluation steps`);
      }
      // Built-in functions read the time of evaluation from the frame that they are called in.
      environment.timestamp = instant;
    },
    leave(_expression, _input, _environment, result) {
      if (measure(result) > functionLimits.valueNodes) {
        throw exceed(`builds a value of more than ${String(functionLimits.valueNodes)} parts`);
      }
    },
  };
}

/** Size of a value with shared parts counted each time; known sizes are remembered, so that a step costs what it adds. */
function createMeasure(): (value: unknown) => number {
  const known = new WeakMap<object, number>();
  const measure = (value: unknown): number => {
    if (typeof value === 'string') {
      if (value.length <= functionLimits.stringCharacters) return 1;
      throw exceed(
        `builds a text of more than ${String(functionLimits.stringCharacters)} characters`,
      );
    }
    if (typeof value !== 'object' || value === null || isClosure(value)) return 1;
    const remembered = known.get(value);
    if (remembered !== undefined) return remembered;
    let size = 1;
    if (Array.isArray(value)) for (const part of value as unknown[]) size += measure(part);
    else for (const part of Object.values(value)) size += measure(part);
    known.set(value, size);
    return size;
  };
  return measure;
}

/** True for a lambda, which holds its environment and with it everything. */
export function isClosure(value: object): boolean {
  const environment = (value as { environment?: { lookup?: unknown } }).environment;
  return typeof environment?.lookup === 'function';
}

function exceed(what: string): FunctionFailure {
  return new FunctionFailure('LIMIT_EXCEEDED', `the expression ${what}; simplify or split it`);
}
