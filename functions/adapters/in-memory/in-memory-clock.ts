import type { Clock } from '../../ports/clock.ts';

/** Stands still until it is moved. */
export class InMemoryClock implements Clock {
  #milliseconds: number;

  constructor(start = '2026-01-05T09:00:00.000Z') {
    this.#milliseconds = Date.parse(start);
  }

  now(): Date {
    return new Date(this.#milliseconds);
  }

  advance(seconds: number): void {
    this.#milliseconds += seconds * 1_000;
  }
}
