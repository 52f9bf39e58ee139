import { z } from 'zod';

import { instant } from '../../schemas/ids.ts';

/** Written again and again while the supervisor lives, so that the courier can tell working from hanging. */
export const progress = z.strictObject({
  phase: z.enum(['waiting', 'preparing', 'running', 'collecting', 'done']),
  command_id: z.string().nullable(),
  at: instant,
});
export type Progress = z.infer<typeof progress>;
