import { createHash } from 'node:crypto';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { execa } from 'execa';
import lockfile from 'proper-lockfile';
import { installSystemPackage } from '../install-system-package.ts';
import { findPython } from './find-python.ts';

const installTimeoutMs = 300_000;
/** Another stack may be installing: ten minutes of waiting, then an error. */
const lockRetries = { retries: 600, factor: 1, minTimeout: 1_000, maxTimeout: 1_000 };

export interface PythonEnvironment {
  /** The virtual environment: made anew whenever the requirements have changed. */
  folder: string;
  /** Every package with its version and the hashes of its wheels: nothing else is installed. */
  requirementsFile: string;
  /** Begins the error of a failed installation: "the emulator". */
  what: string;
}

export interface PreparedPython {
  /** The interpreter that has the packages. */
  python: string;
  installed: boolean;
}

/**
 * A virtual environment with exactly what the requirements pin; every file is checked against its
 * hash. Does nothing when that is there already.
 */
export async function preparePython(environment: PythonEnvironment): Promise<PreparedPython> {
  const { folder, requirementsFile } = environment;
  const requirements = await readFile(requirementsFile);
  const digest = createHash('sha256').update(requirements).digest('hex');
  const marker = path.join(folder, `installed-${digest}`);
  const python = path.join(folder, 'bin', 'python');
  if (await exists(marker)) return { python, installed: false };

  await mkdir(path.dirname(folder), { recursive: true });
  const release = await lockfile.lock(folder, { realpath: false, retries: lockRetries });
  try {
    if (await exists(marker)) return { python, installed: false };
    await buildEnvironment(environment, python);
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
async function buildEnvironment(environment: PythonEnvironment, python: string): Promise<void> {
  const { folder, requirementsFile, what } = environment;
  const system = await findPython();
  await rm(folder, { recursive: true, force: true });
  const create = () => execa(system, ['-m', 'venv', folder], { reject: false });
  if ((await create()).exitCode !== 0) {
    await installSystemPackage('python3-venv', "Python's venv module");
    await rm(folder, { recursive: true, force: true });
    const again = await create();
    if (again.exitCode !== 0) {
      const advice = `Python cannot make a virtual environment. Run: ${system} -m venv ${folder}`;
      throw new Error(advice, { cause: again });
    }
  }
  const install = ['-m', 'pip', 'install', '--quiet', '--no-input', '--disable-pip-version-check'];
  // Everything needed is in the file; what it leaves out on purpose is not fetched all the same.
  const pinned = ['--no-deps', '--require-hashes', '--only-binary', ':all:'];
  const result = await execa(python, [...install, ...pinned, '-r', requirementsFile], {
    reject: false,
    timeout: installTimeoutMs,
  });
  if (result.exitCode !== 0) {
    const last = result.stderr.trim().split('\n').at(-1) ?? '';
    throw new Error(`${what} cannot be installed: ${last}`, { cause: result });
  }
}
