import type { Behaviour } from './behaviour.ts';

const families = {
  'exit-statuses': async () => (await import('./families/exit-statuses.ts')).exitStatuses,
  'no-adapter': async () => (await import('./families/no-adapter.ts')).noAdapter,
  'broken-json': async () => (await import('./families/broken-json.ts')).brokenJson,
  'broken-records': async () => (await import('./families/broken-records.ts')).brokenRecords,
  'lying-records': async () => (await import('./families/lying-records.ts')).lyingRecords,
  'wrong-bytes': async () => (await import('./families/wrong-bytes.ts')).wrongBytes,
  'endless-output': async () => (await import('./families/endless-output.ts')).endlessOutput,
  'closed-streams': async () => (await import('./families/closed-streams.ts')).closedStreams,
  'never-ending': async () => (await import('./families/never-ending.ts')).neverEnding,
  'left-behind': async () => (await import('./families/left-behind.ts')).leftBehind,
  'changed-meanwhile': async () =>
    (await import('./families/changed-meanwhile.ts')).changedMeanwhile,
  'taken-destination': async () =>
    (await import('./families/taken-destination.ts')).takenDestination,
  'older-file': async () => (await import('./families/older-file.ts')).olderFile,
  'unpublished-file': async () => (await import('./families/unpublished-file.ts')).unpublishedFile,
  interrupted: async () => (await import('./families/interrupted.ts')).interrupted,
  'at-a-terminal': async () => (await import('./families/at-a-terminal.ts')).atATerminal,
} satisfies Record<string, () => Promise<Behaviour[]>>;

export type FamilyName = keyof typeof families;

export const familyNames = Object.keys(families) as FamilyName[];

/** Only the family that is played is loaded: an adapter starts often. */
export async function loadFamily(name: string): Promise<Behaviour[]> {
  if (name in families) return await families[name as FamilyName]();
  throw new Error(`there is no family of misbehaviours called "${name}"`);
}
