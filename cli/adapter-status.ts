/** Exit statuses of the adapter contract (A59), for who keeps it, who reads it and who checks it. */
export const adapterStatus = {
  done: 0,
  failed: 1,
  usage: 2,
  absent: 3,
  tooLarge: 4,
  bytesDiffer: 5,
} as const;
export type AdapterStatus = (typeof adapterStatus)[keyof typeof adapterStatus];
