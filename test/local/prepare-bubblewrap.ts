import { execa } from 'execa';
import { installSystemPackage } from './install-system-package.ts';

/** The namespaces that a container needs; an ordinary user gets them by a user namespace only. */
function composeTrial(): string[] {
  const user = process.getuid?.() === 0 ? [] : ['--unshare-user'];
  const namespaces = ['--unshare-pid', '--unshare-net', '--unshare-ipc', '--unshare-uts'];
  return [...user, ...namespaces, '--dev-bind', '/', '/', '--proc', '/proc', '--', 'true'];
}

/** Local Fargate runs containers by bubblewrap. Throws one line that names the command to run. */
export async function prepareBubblewrap(): Promise<void> {
  const found = await execa('bwrap', ['--version'], { reject: false });
  if (found.exitCode !== 0) await installSystemPackage('bubblewrap', 'bubblewrap');
  const trial = await execa('bwrap', composeTrial(), { reject: false });
  if (trial.exitCode === 0) return;
  const advice = trial.stderr.includes('Permission denied')
    ? 'Run: sudo sysctl -w kernel.apparmor_restrict_unprivileged_userns=0'
    : 'This machine forbids the namespaces that it needs.';
  throw new Error(`bubblewrap does not start: ${trial.stderr.trim()}. ${advice}`, { cause: trial });
}
