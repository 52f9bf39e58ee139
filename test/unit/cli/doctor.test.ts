import { chmod, mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Finding } from '../../../cli/doctor/finding.ts';
import { runWindlass } from '../../support/stand-in-api/run-windlass.ts';
import { useStandInApi } from '../../support/stand-in-api/use-stand-in-api.ts';

const stand = useStandInApi();

async function examine(env: Record<string, string> = {}) {
  const ran = await stand.run(['doctor', '--json'], { env });
  const told = JSON.parse(ran.stdout) as { healthy: boolean; findings: Finding[] };
  const verdicts = told.findings.map(({ what, verdict }) => `${what} ${verdict}`);
  return { ran, told, verdicts };
}

describe('doctor', () => {
  it('looks at a deployed stack step by step, and not at this machine', async () => {
    const { ran, told, verdicts } = await examine();
    expect(ran.code).toBe(0);
    expect(told.healthy).toBe(true);
    expect(verdicts).toEqual(['stack ok', 'credentials ok', 'endpoint ok', 'api ok', 'board ok']);
    expect(ran.stdout).not.toContain('stand-in-secret');
  });

  it('says how to make a board that is not there, and how to get a grant', async () => {
    stand.api.state.boards.clear();
    const missing = await stand.run(['doctor']);
    expect(missing.code).toBe(1);
    expect(missing.stdout).toContain('fix: windlass board create demo');
    stand.api.state.boards.add('demo');
    stand.api.state.closedBoards.add('demo');
    const closed = await stand.run(['doctor']);
    expect(closed.stdout).toContain('windlass board grant demo');
  });

  it('tells refused credentials from an endpoint that is not there', async () => {
    const refused = await examine({ AWS_SECRET_ACCESS_KEY: 'wrong' });
    expect(refused.ran.code).toBe(1);
    expect(refused.verdicts).toContain('endpoint ok');
    expect(refused.verdicts).toContain('api fault');
    await stand.api.stop();
    const gone = await examine();
    expect(gone.verdicts).toContain('endpoint fault');
    expect(gone.verdicts).toContain('api skipped');
  });

  it('looks at this machine when no deployed stack is named', async () => {
    const bin = path.join(stand.folder, 'bin');
    await mkdir(bin);
    const ran = await runWindlass(['doctor'], { env: { PATH: bin } });
    expect(ran.code).toBe(1);
    expect(ran.stdout).toMatch(/✗ python .*3\.11 or later.*\n {4}fix: .*python3-venv/);
    expect(ran.stdout).toMatch(/✗ bubblewrap .*\n {4}fix: .*bubblewrap/);
    expect(ran.stdout).toMatch(/✗ stack .*\n {4}fix: .*windlass local up/);
    expect(ran.stderr).toContain('found 3 faults');
  });

  it('finds a Python without venv and a kernel without namespaces', async () => {
    const bin = path.join(stand.folder, 'bin');
    await mkdir(bin);
    const only =
      '#!/bin/sh\ncase "$*" in *--version|*version_info*) echo some version 1; exit 0;; esac\nexit 1\n';
    for (const name of ['python3.13', 'bwrap']) {
      await writeFile(path.join(bin, name), only);
      await chmod(path.join(bin, name), 0o755);
    }
    const ran = await runWindlass(['doctor'], { env: { PATH: bin } });
    expect(ran.stdout).toContain('some version 1, without the venv module (python3.13)');
    expect(ran.stdout).toContain('this kernel lets it make no namespaces');
    const fine = '#!/bin/sh\necho some version 1\n';
    for (const name of ['python3.13', 'bwrap']) await writeFile(path.join(bin, name), fine);
    const good = await runWindlass(['doctor'], { env: { PATH: bin } });
    expect(good.stdout).toContain('✓ python       some version 1 with venv (python3.13)');
    expect(good.stdout).toContain('✓ bubblewrap   some version 1, namespaces work');
  });
});
