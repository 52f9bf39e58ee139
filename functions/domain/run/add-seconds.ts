/** The instant that many seconds later, in the form of `at`. */
export function addSeconds(at: string, seconds: number): string {
  return new Date(Date.parse(at) + seconds * 1000).toISOString();
}
