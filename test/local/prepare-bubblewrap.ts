import { execa } from 'execa';
import { installSystemPackage } from './install-system-package.ts';

/** Local Fargate runs containers by bubblewrap; returns its version. */
export async function prepareBubblewrap(): Promise<string> {
  const ask = () => execa('bwrap', ['--version'], { reject: false });
  let answer = await ask();
  if (answer.exitCode !== 0) {
    await installSystemPackage('bubblewrap', 'bubblewrap');
    answer = await ask();
  }
  if (answer.exitCode !== 0) {
    throw new Error('bubblewrap does not start. Run: bwrap --version', { cause: answer });
  }
  return answer.stdout.trim();
}
