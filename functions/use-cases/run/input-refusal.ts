import { limits } from '../../../schemas/limits.ts';

/** Why a file that a run names cannot be taken in, without the place where it is named. */
export interface InputRefusal {
  code: string;
  message: string;
  fix: string;
}

/** @param size bytes of the file that is stored */
export function refuseSize(size: number): InputRefusal | undefined {
  if (size <= limits.attachmentBytes) return undefined;
  return {
    code: 'OVER_LIMIT',
    message: `the file has ${String(size)} bytes; attachmentBytes allows ${String(limits.attachmentBytes)}`,
    fix: 'Hand in a smaller file.',
  };
}
