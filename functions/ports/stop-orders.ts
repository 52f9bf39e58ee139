/** Orders that stop work at once, read by launch, claim and heartbeat, so that stopping never waits for the reducer (p19). */
export interface StopOrders {
  place(order: {
    board: string;
    runId: string;
    by: string;
    cause: string;
    at: string;
  }): Promise<void>;
  isStopped(board: string, runId: string): Promise<boolean>;
}
