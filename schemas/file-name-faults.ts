/** What makes a file name unsafe on some file system we write to, in words that follow "it" (A30); empty when nothing does. */
export function findFileNameFaults(name: string): string[] {
  const faults: string[] = [];
  if (name === '') faults.push('is empty');
  if (Buffer.byteLength(name) > 255) faults.push('is longer than 255 bytes');
  // Controls of C1 steer terminals, those of direction make "x.exe" look like another name.
  if (/[\u0000-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069/\\]/.test(name))
    faults.push('holds a separator or a control character');
  if (!name.isWellFormed()) faults.push('holds half a character');
  if (name.startsWith('.') || name.startsWith('-')) faults.push('begins with a dot or a dash');
  return faults;
}
