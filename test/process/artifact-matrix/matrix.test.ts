import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { artifactHints } from '../../../cli/artifact/artifact-failure.ts';
import { familyNames, loadFamily } from '../../support/artifact-adapters/misbehaving/families.ts';

const all = (await Promise.all(familyNames.map(loadFamily))).flat();

describe('the matrix of misbehaving adapters', () => {
  it('A51 plays every family in a test of its own', () => {
    const missing = familyNames.filter(
      (name) => !existsSync(fileURLToPath(new URL(`./${name}.test.ts`, import.meta.url))),
    );
    expect(missing).toEqual([]);
  });

  it('A51 has far more than forty ways, each under a title of its own and with one known code', () => {
    const titles = all.map(({ title }) => title);
    expect(new Set(titles).size).toBe(titles.length);
    expect(titles.length).toBeGreaterThan(200);
    expect(titles.filter((title) => !/^A[0-9]{1,2} /.test(title))).toEqual([]);
    const known = ['ok', 'none', ...Object.keys(artifactHints)];
    expect(all.filter(({ code }) => !known.includes(code))).toEqual([]);
  });

  it('A19 meets each code that an adapter can bring about', () => {
    const met = new Set(all.map(({ code }) => code));
    for (const code of [
      'artifact_board_mismatch',
      'artifact_task_mismatch',
      'artifact_not_found',
      'artifact_revision_mismatch',
      'artifact_integrity_failed',
      'artifact_checksum_missing',
      'artifact_too_large',
      'artifact_original_invalid',
      'artifact_companion_exists',
      'artifact_metadata_mismatch',
      'artifact_destination_invalid',
      'artifact_destination_exists',
      'artifact_transport_unavailable',
      'artifact_transport_timeout',
      'artifact_transport_failed',
      'artifact_transport_invalid',
    ])
      expect(met).toContain(code);
  });
});
