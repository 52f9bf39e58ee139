/** Where an attempt's outputs lie: `attempts/<attempt>/sha256/<hex>`. */
export function nameAttemptPrefix(attemptId: string): string {
  return `attempts/${attemptId}/sha256/`;
}
