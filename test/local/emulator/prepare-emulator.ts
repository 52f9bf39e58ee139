import { createHash } from 'node:crypto';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { execa } from 'execa';
import lockfile from 'proper-lockfile';
import { installSystemPackage } from '../install-system-package.ts';
import { windlassFolder } from '../repository-paths.ts';
import { findPython } from './find-python.ts';

const requirementsFile = path.join(import.meta.dirname, 'requirements.txt');
const installTimeoutMs = 300_000;
/** Another stack may be installing: ten minutes of waiting, then an error. */
const lockRetries = { retries: 600, factor: 1, minTimeout: 1_000, maxTimeout: 1_000 };

export interface PreparedEmulator {
  /** The Python interpreter that has the emulator. */
  python: string;
  installed: boolean;
}

/**
 * The emulator in a virtual environment of its own, exactly as `requirements.txt` pins it; every
 * file is checked against its hash. Does nothing when that is there already.
 */
export async function prepareEmulator(folder = windlassFolder): Promise<PreparedEmulator> {
  const requirements = await readFile(requirementsFile);
  const digest = createHash('sha256').update(requirements).digest('hex');
  const venv = path.join(folder, 'venv');
  const marker = path.join(venv, `installed-${digest}`);
  const python = path.join(venv, 'bin', 'python');
  if (await exists(marker)) return { python, installed: false };

  await mkdir(folder, { recursive: true });
  const release = await lockfile.lock(venv, { realpath: false, retries: lockRetries });
  try {
    if (await exists(marker)) return { python, installed: false };
    await buildEnvironment(venv, python);
    await writeFile(marker, '');
    return { python, installed: true };
  } finally {
    await release();
  }
}

async function exists(file: string): Promise<boolean> {
  return readFile(file).then(
    () => true,
    () => false,
  );
}

/** The marker is written last, so an interrupted build is built again from nothing. */
async function buildEnvironment(venv: string, python: string): Promise<void> {
  const system = await findPython();
  await rm(venv, { recursive: true, force: true });
  const create = () => execa(system, ['-m', 'venv', venv], { reject: false });
  if ((await create()).exitCode !== 0) {
    await installSystemPackage('python3-venv', "Python's venv module");
    await rm(venv, { recursive: true, force: true });
    const again = await create();
    if (again.exitCode !== 0) {
      const advice = `Python cannot make a virtual environment. Run: ${system} -m venv ${venv}`;
      throw new Error(advice, { cause: again });
    }
  }
  const install = ['-m', 'pip', 'install', '--quiet', '--no-input', '--disable-pip-version-check'];
  const result = await execa(
    python,
    [...install, '--require-hashes', '--only-binary', ':all:', '-r', requirementsFile],
    { reject: false, timeout: installTimeoutMs },
  );
  if (result.exitCode !== 0) {
    const last = result.stderr.trim().split('\n').at(-1) ?? '';
    throw new Error(`the emulator cannot be installed: ${last}`, { cause: result });
  }
}
