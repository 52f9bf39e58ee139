import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { preparePython, type PythonEnvironment } from '../../local/python/prepare-python.ts';

let folder = '';
let environment: PythonEnvironment;

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'windlass-python-'));
  const requirementsFile = path.join(folder, 'requirements.txt');
  await writeFile(requirementsFile, 'none==1.0 --hash=sha256:00\n');
  environment = { folder: path.join(folder, 'venv'), requirementsFile, what: 'the package' };
  vi.stubEnv('PATH', path.join(folder, 'bin'));
  await mkdir(path.join(folder, 'bin'));
});

afterEach(async () => {
  vi.unstubAllEnvs();
  await rm(folder, { recursive: true, force: true });
});

/** A Python of a version that is right, which does with `-m venv` what the script says. */
async function writePython(script: string): Promise<void> {
  const file = path.join(folder, 'bin', 'python3.11');
  await writeFile(file, `#!/bin/sh\n[ "$1" = -m ] || exit 0\n${script}\n`);
  await chmod(file, 0o755);
}

describe('a Python environment', () => {
  it('names the command to run where there is no Python', async () => {
    await expect(preparePython(environment)).rejects.toThrow(
      'Python 3.11 or later is missing. Run: sudo apt-get install python3 python3-venv',
    );
  });

  it('names the command to run where Python has no venv and it cannot be installed', async () => {
    await writePython('exit 1');
    await expect(preparePython(environment)).rejects.toThrow(
      "Python's venv module is missing. Run: sudo apt-get install python3-venv",
    );
  });

  it('names what could not be installed and the last line of why, and tries again next time', async () => {
    const pip = '#!/bin/sh\\necho first >&2\\necho no such hash >&2\\nexit 1\\n';
    const make = `/bin/mkdir -p "$3/bin"; printf '${pip}' > "$3/bin/python"; /bin/chmod 755 "$3/bin/python"`;
    await writePython(make);
    const refusal = 'the package cannot be installed: no such hash';
    await expect(preparePython(environment)).rejects.toThrow(refusal);
    await expect(preparePython(environment)).rejects.toThrow(refusal);
  });
});
