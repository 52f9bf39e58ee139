/** Which task of which board. */
export interface TaskAddress {
  board: string;
  taskId: string;
}
