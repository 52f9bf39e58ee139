import type { AdapterProbe } from './adapter-probe.ts';

/** One demand of the adapter contract, looked at from outside. */
export interface ConformanceCheck {
  /** Kebab-case, for programs that read `--json`. */
  name: string;
  /** Ids of what is demanded, such as `A57`. */
  requirement: string;
  /** Whether an adapter that fails this one is asked nothing more. */
  gate?: true;
  /** What a conforming adapter does, as one sentence without a full stop. */
  demand: string;
  /**
   * Returns when the adapter does so.
   *
   * @throws ContractBreach when it does not
   * @throws CheckSkipped when it cannot be told here
   */
  check: (probe: AdapterProbe) => Promise<void>;
}

export interface Verdict {
  name: string;
  requirement: string;
  demand: string;
  verdict: 'PASS' | 'FAIL' | 'SKIP';
  /** What was seen instead, or why it was not looked at; never anything that the adapter printed. */
  detail?: string;
}

/** The adapter did something else than the contract demands. The message says what, in our words only. */
export class ContractBreach extends Error {
  override readonly name = 'ContractBreach';
}

/** A check that cannot be made with what was given. The message says what is missing. */
export class CheckSkipped extends Error {
  override readonly name = 'CheckSkipped';
}
