/**
 * How long the courier waits for whom, in milliseconds. After SIGTERM ECS kills within 30 seconds (`stopTimeout` of the
 * task definition), in which a stop, what is kept and the return have to fit.
 */
export interface Pace {
  /** One try of a call to the controller. */
  readonly callMilliseconds: number;
  readonly claimMilliseconds: number;
  readonly renewMilliseconds: number;
  readonly submitMilliseconds: number;
  /** One try of an input or an output. */
  readonly transferMilliseconds: number;
  /** Credentials that end sooner than this are renewed before outputs are stored. */
  readonly freshMilliseconds: number;
  /** A workbench that has not given a sign for this long is dead. */
  readonly silentMilliseconds: number;
  /** From the order to stop to the moment at which no result is expected any more. */
  readonly stopMilliseconds: number;
  /** From the order to stop to the moment at which nothing more is kept or returned. */
  readonly farewellMilliseconds: number;
  /** The work is stopped this long before the hard deadline, at which no return is taken any more. */
  readonly returnMilliseconds: number;
}

export const defaultPace: Pace = {
  callMilliseconds: 10_000,
  claimMilliseconds: 60_000,
  renewMilliseconds: 30_000,
  submitMilliseconds: 120_000,
  transferMilliseconds: 120_000,
  freshMilliseconds: 300_000,
  silentMilliseconds: 30_000,
  stopMilliseconds: 12_000,
  farewellMilliseconds: 25_000,
  returnMilliseconds: 10_000,
};
