/**
 * The text without control characters: what comes from a plan or an executor must not be able to move the cursor,
 * colour the terminal or fake a line of ours.
 */
export function cleanText(text: string): string {
  return text.replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]+/g, ' ');
}
