import type { Behaviour } from './behaviour.ts';
import { content, print } from './call.ts';

/** Where a download goes unless a behaviour says otherwise. */
export const destination = 'out.bin';

const half = content.length / 2;

/** The bytes, with something done to the destination before, amid or after them. */
export function sendAround(
  moment: 'before' | 'amid' | 'after',
  deed: (folder: string) => void,
): Behaviour['act'] {
  return {
    'artifact-download': (call) => {
      if (moment === 'before') deed(call.folder);
      print(content.subarray(0, half));
      if (moment === 'amid') deed(call.folder);
      print(content.subarray(half));
      if (moment === 'after') deed(call.folder);
    },
  };
}
