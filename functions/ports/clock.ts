/** The present time. Inside the domain time is an argument. */
export interface Clock {
  now(): Date;
}
