import { execa } from 'execa';

const candidates = ['python3.11', 'python3.12', 'python3.13', 'python3.14', 'python3'];
const probe = 'import sys; sys.exit(0 if sys.version_info >= (3, 11) else 1)';

/** The first Python of 3.11 or later on the PATH. Throws one line that names the command to run. */
export async function findPython(): Promise<string> {
  for (const candidate of candidates) {
    const result = await execa(candidate, ['-c', probe], { reject: false });
    if (result.exitCode === 0) return candidate;
  }
  throw new Error(
    'Python 3.11 or later is missing. Run: sudo apt-get install python3 python3-venv',
  );
}
