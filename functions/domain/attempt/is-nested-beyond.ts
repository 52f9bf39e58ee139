/** Whether lists and objects stand inside each other more than `depth` times; without recursion, as the value is hostile. */
export function isNestedBeyond(value: unknown, depth: number): boolean {
  let level: unknown[] = [value];
  for (let current = 0; level.length > 0; current += 1) {
    const inner: unknown[] = [];
    for (const item of level) {
      if (typeof item !== 'object' || item === null) continue;
      if (current >= depth) return true;
      for (const part of Object.values(item)) inner.push(part);
    }
    level = inner;
  }
  return false;
}
