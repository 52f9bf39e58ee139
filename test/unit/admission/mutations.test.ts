import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { admitResponse } from '../../../functions/domain/admission/admit-response.ts';
import { composeGoodFacts } from './good-facts.ts';

type Path = readonly (string | number)[];

/** Claims that decide nothing: what is measured wins over them (E68), and times inside the window are free (E69). */
const free = [
  '/cost_report/actual',
  '/started_at',
  '/finished_at',
  '/artefacts/0/type',
  '/artefacts/1/type',
];

function listLeaves(value: unknown, path: Path = []): Path[] {
  if (typeof value !== 'object' || value === null) return [path];
  const inner = Object.entries(value).flatMap(([name, item]) =>
    listLeaves(item, [...path, Array.isArray(value) ? Number(name) : name]),
  );
  return path.length === 0 ? inner : [path, ...inner];
}

function change(value: unknown, path: Path, replacement: unknown): unknown {
  const copy = structuredClone(value) as Record<string | number, unknown>;
  let place = copy;
  for (const step of path.slice(0, -1)) place = place[step] as Record<string | number, unknown>;
  const last = path.at(-1)!;
  if (replacement === undefined && Array.isArray(place)) place.splice(Number(last), 1);
  else if (replacement === undefined) Reflect.deleteProperty(place, last);
  else place[last] = replacement;
  return copy;
}

describe('any change of a good response', () => {
  const good = composeGoodFacts().response;
  const paths = listLeaves(good).filter((path) => !free.includes(`/${path.join('/')}`));

  it('E63 E64 E65 E66 E67 E68 E70 E71 is never SUCCEEDED', () => {
    const replacement = fc.oneof(
      fc.constant(undefined),
      fc.constant(null),
      fc.string(),
      fc.integer(),
      fc.boolean(),
      fc.constant([]),
      fc.constant({}),
      fc.stringMatching(/^[0-9a-f]{64}$/),
      fc.stringMatching(/^(run|att)_[0-9A-HJKMNP-TV-Z]{26}$/),
      fc.constantFrom(
        'PARTIAL',
        'TIMED_OUT',
        'outputs/summary',
        'outputs/other',
        '5001',
        'seconds',
        2,
      ),
    );
    fc.assert(
      fc.property(fc.constantFrom(...paths), replacement, (path, value) => {
        const response = change(good, path, value);
        fc.pre(JSON.stringify(response) !== JSON.stringify(good));
        // A list that lost what only corroborates is still the same claim.
        fc.pre(!(path[0] === 'observations' && isEmptied(response)));
        const facts = { ...composeGoodFacts(), response };
        expect(admitResponse(facts).decision.end).not.toBe('SUCCEEDED');
      }),
      { numRuns: 3_000 },
    );
  });

  it('takes the good one itself, so that the property says something', () => {
    expect(admitResponse(composeGoodFacts()).decision.end).toBe('SUCCEEDED');
  });
});

function isEmptied(response: unknown): boolean {
  const { observations } = response as { observations?: unknown };
  return Array.isArray(observations) && observations.length === 0;
}
