/** The controller's time, as well as its answer to the claim told it. */
export interface ControllerClock {
  now(): Date;
  millisecondsUntil(instant: string): number;
}

/** The `Date` header has whole seconds, and the answer was on its way for a while. */
const toleratedMilliseconds = 2_000;

/**
 * Times of a return are judged by the controller's clock (E58, E69), so a clock that is wrong here must not decide. The
 * local time counts when there is no date or it differs by less than can be told.
 */
export function createControllerClock(date: string | null): ControllerClock {
  const answered = date === null ? NaN : Date.parse(date);
  const difference = answered - Date.now();
  const offset = Math.abs(difference) > toleratedMilliseconds ? difference : 0;
  const opened = { wall: Date.now() + offset, steady: performance.now() };
  const now = (): Date => new Date(Math.round(opened.wall + performance.now() - opened.steady));
  return {
    now,
    millisecondsUntil: (instant) => Date.parse(instant) - now().getTime(),
  };
}
