/** What the caller gave cannot be used; the message says what and how to mend it. */
export class ToolFault extends Error {
  override readonly name = 'ToolFault';
}
