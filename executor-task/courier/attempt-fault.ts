/**
 * The attempt itself has failed, and the controller is told so. Any other error is the courier's own: it returns nothing
 * then, and the controller judges by how the task ended. The message may be returned, so it holds no secret.
 */
export class AttemptFault extends Error {
  override readonly name: string = 'AttemptFault';
}
