import { createContext, Script } from 'node:vm';
import { FunctionFailure } from './function-failure.ts';
import { functionLimits } from './function-limits.ts';

interface Step {
  from: number;
  after: number;
  match: RegExpExecArray | null;
}

const slot: { work: () => void } = { work: () => undefined };
const context = createContext(slot);
const script = new Script('work()');

/** Below this even a pattern that backtracks exponentially ends at once. */
const harmlessCharacters = 12;
/** Steps of backtracking that end within some milliseconds. */
const harmlessSteps = 1e7;
const largestBatch = 1_024;

/**
 * A regular expression whose matches end in time: a pattern from a plan may backtrack for hours, and only the engine's own
 * interrupt stops it. Throws `LIMIT_EXCEEDED`. The interrupt costs a third of a millisecond, so patterns that cannot
 * backtrack far go without it, and matches of one text are found in growing batches.
 */
export class BoundedRegExp extends RegExp {
  readonly #degree = estimateDegree(this.source);
  #text: string | null = null;
  #found: Step[] = [];
  #batch = 1;

  override exec(text: string): RegExpExecArray | null {
    const isHarmless =
      text.length <= harmlessCharacters || text.length ** this.#degree <= harmlessSteps;
    if (isHarmless) return super.exec(text);
    const start = this.lastIndex;
    if (this.#text !== text || this.#found[0]?.from !== start) this.#findBatch(text, start);
    const step = this.#found.shift();
    this.lastIndex = step?.after ?? 0;
    return step?.match ?? null;
  }

  override test(text: string): boolean {
    return this.exec(text) !== null;
  }

  #findBatch(text: string, start: number): void {
    const size = this.#text === text && start > 0 && this.global ? this.#batch : 1;
    const found: Step[] = [];
    runWatched(this.source, () => {
      while (found.length < size) {
        const from = this.lastIndex;
        const match = super.exec(text);
        found.push({ from, after: this.lastIndex, match });
        // An empty match does not move on; what happens then is for the caller to say.
        if (match === null || match[0] === '') break;
      }
    });
    this.#text = text;
    this.#found = found;
    this.#batch = Math.min(largestBatch, size * 2);
  }
}

function runWatched(source: string, work: () => void): void {
  slot.work = work;
  try {
    script.runInContext(context, { timeout: functionLimits.matchMilliseconds });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_SCRIPT_EXECUTION_TIMEOUT') throw error;
    throw new FunctionFailure(
      'LIMIT_EXCEEDED',
      `the pattern /${source}/ did not end within ${String(functionLimits.matchMilliseconds)} ms; simplify it`,
      { cause: error },
    );
  } finally {
    slot.work = () => undefined;
  }
}

/** A bound on the power of the text's length that backtracking may take: every choice in the pattern adds one. */
function estimateDegree(source: string): number {
  const canExplode = /\)[*+?{]|\\[1-9k]/.test(source);
  return canExplode ? Infinity : 1 + (source.match(/[*+?{|]/g)?.length ?? 0);
}
