/** `812 B`, `4.1 KiB`, `25.0 MiB`. */
export function formatBytes(bytes: number): string {
  if (bytes < 1024) return `${String(bytes)} B`;
  if (bytes < 1024 * 1024) return `${(bytes / 1024).toFixed(1)} KiB`;
  return `${(bytes / (1024 * 1024)).toFixed(1)} MiB`;
}

/** Two sizes for one sentence: in single bytes where the rounded ones would read the same. */
export function formatBytesApart(one: number, other: number): [string, string] {
  const rounded: [string, string] = [formatBytes(one), formatBytes(other)];
  return one === other || rounded[0] !== rounded[1]
    ? rounded
    : [`${String(one)} B`, `${String(other)} B`];
}
