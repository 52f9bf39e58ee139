import { execa } from 'execa';

const installTimeoutMs = 180_000;

/**
 * Installs a Debian package when this user may; otherwise, or when that fails, throws one line that
 * names what is missing and the command to run.
 */
export async function installSystemPackage(packageName: string, missing: string): Promise<void> {
  const advice = `${missing} is missing. Run: sudo apt-get install ${packageName}`;
  if (process.getuid?.() !== 0) throw new Error(advice);
  const options = {
    reject: false,
    timeout: installTimeoutMs,
    env: { DEBIAN_FRONTEND: 'noninteractive' },
  } as const;
  const install = ['install', '--yes', '--no-install-recommends', packageName];
  const first = await execa('apt-get', install, options);
  if (first.exitCode === 0) return;
  await execa('apt-get', ['update'], options);
  const second = await execa('apt-get', install, options);
  if (second.exitCode !== 0) throw new Error(advice, { cause: second });
}
