import type { AdapterVerb, Behaviour } from './behaviour.ts';
import { complain, content, listed, print, printJson, takeInput, uploaded } from './call.ts';
import type { Call } from './call.ts';
import { loadFamily } from './families.ts';

const honest: Record<AdapterVerb, (call: Call) => void> = {
  'artifact-upload': (call) => {
    takeInput();
    printJson(uploaded(call));
  },
  'artifact-list': () => {
    printJson([listed()]);
  },
  'artifact-download': () => {
    print(content);
  },
};

/** Answers one invocation, each with a secret on stderr, as a careless adapter would write it. */
export async function misbehave(words: string[]): Promise<void> {
  const [family = '', place = '', verb = '', ...rest] = words;
  const behaviours: Behaviour[] = await loadFamily(family);
  const call: Call = {
    verb: verb as AdapterVerb,
    words: rest,
    folder: process.env['MATRIX_FOLDER'] ?? '',
  };
  complain();
  const act = behaviours[Number(place)]?.act?.[call.verb] ?? honest[call.verb];
  await act(call);
}
