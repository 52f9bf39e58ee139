import { z } from 'zod';

/** `type/subtype` without parameters, in lower case. */
export const mediaType = z
  .string()
  .max(127)
  .regex(/^[a-z0-9][a-z0-9!#$&^_.+-]*\/[a-z0-9][a-z0-9!#$&^_.+-]*$/);
