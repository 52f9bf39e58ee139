/** Messages of log lines that a metric filter counts: the filter and the line say the same. */
export const logMessages = {
  /** A fault took an attempt out of its group; it runs alone. */
  leftGroup: 'left its group',
} as const;
