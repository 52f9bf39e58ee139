/** Listings for people and the sweep. They come from indexes and lag; nothing is decided from them. */
export interface RunIndex {
  /** Newest first. */
  listRuns(
    board: string,
    page: { limit: number; before: string | null },
  ): Promise<{ runIds: string[]; next: string | null }>;
  /**
   * Runs that have not ended and whose `wakeAt` has passed, or that have an unread message or no commit since
   * `quietSince`; and ended ones with an unread message that came late.
   */
  listDueRuns(now: string, quietSince: string): Promise<string[]>;
}
