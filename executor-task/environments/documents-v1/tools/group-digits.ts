/** A whole number with its digits in groups of three, the same whatever locale data is there. */
export function groupDigits(value: number): string {
  return String(value).replace(/\B(?=(\d{3})+$)/g, ',');
}
