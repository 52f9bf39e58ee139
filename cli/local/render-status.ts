import { z } from 'zod';
import { cleanText } from '../output/clean-text.ts';

const answer = z.looseObject({
  name: z.string(),
  emulator: z.string(),
  fargate: z.string(),
  deployed: z.boolean(),
  endpoint: z.string().optional(),
  outputs: z.record(z.string(), z.record(z.string(), z.string())).optional(),
});

/** CloudFormation outputs that people need by hand. */
const shownOutputs = {
  ApiUrl: 'API',
  ArtifactBucket: 'artifact bucket',
  DropBucket: 'drop bucket',
} as const;

/** Where a local stack stands, one line a fact; undefined when the result is none. */
export function renderStatus(result: unknown): string | undefined {
  const parsed = answer.safeParse(result);
  if (!parsed.success) return undefined;
  const { name, emulator, fargate, deployed, endpoint, outputs } = parsed.data;
  const named = Object.assign({}, ...Object.values(outputs ?? {})) as Record<string, string>;
  const lines: [string, string | undefined][] = [
    ['stack', name],
    ['emulator', emulator],
    ['local Fargate', fargate],
    ['deployed', deployed ? 'yes' : 'no'],
    ['endpoint', endpoint],
    ...Object.entries(shownOutputs).map(([output, title]): [string, string | undefined] => [
      title,
      named[output],
    ]),
  ];
  return lines
    .filter(([, value]) => value !== undefined)
    .map(([title, value]) => cleanText(`${`${title}:`.padEnd(17)}${value ?? ''}`))
    .join('\n');
}
