import { execa } from 'execa';
import { finds, findsFault, skips, type Finding } from './finding.ts';

const probeMilliseconds = 10_000;

/** As the local stack looks for one, in this order. */
const pythons = ['python3.11', 'python3.12', 'python3.13', 'python3.14', 'python3'];
const sayVersion =
  'import sys; assert sys.version_info >= (3, 11); print("Python " + sys.version.split()[0])';

/** What a local stack needs of this machine. */
export async function checkMachine(signal: AbortSignal): Promise<Finding[]> {
  const [python, bubblewrap] = await Promise.all([checkPython(signal), checkBubblewrap(signal)]);
  return [checkSystem(), checkNode(), python, bubblewrap];
}

function checkSystem(): Finding {
  if (process.platform === 'linux') return finds('system', `Linux ${process.arch}`);
  return findsFault(
    'system',
    `${process.platform}: local Fargate needs the namespaces of a Linux kernel`,
    'use a Linux machine, or a deployed stack with --api-url',
  );
}

function checkNode(): Finding {
  const { node } = process.versions;
  if (Number(node.split('.')[0]) >= 24) return finds('node', `${node} at ${process.execPath}`);
  return findsFault('node', `${node} is older than 24`, 'run `npm ci`, which installs Node 24');
}

async function checkPython(signal: AbortSignal): Promise<Finding> {
  for (const program of pythons) {
    const version = await probe(program, ['-c', sayVersion], signal);
    if (version === undefined) continue;
    if ((await probe(program, ['-c', 'import venv, ensurepip'], signal)) !== undefined)
      return finds('python', `${version} with venv (${program})`);
    return findsFault(
      'python',
      `${version}, without the venv module (${program})`,
      `install it (Debian: apt-get install ${program}-venv)`,
    );
  }
  return findsFault(
    'python',
    'no Python 3.11 or later was found',
    'install it (Debian: apt-get install python3 python3-venv)',
  );
}

async function checkBubblewrap(signal: AbortSignal): Promise<Finding> {
  if (process.platform !== 'linux') return skips('bubblewrap', 'Linux only');
  const version = await probe('bwrap', ['--version'], signal);
  if (version === undefined)
    return findsFault(
      'bubblewrap',
      'bwrap is not there',
      'install it (Debian: apt-get install bubblewrap)',
    );
  const sandbox = ['--ro-bind', '/', '/', '--unshare-all', '--die-with-parent', '--', 'true'];
  if ((await probe('bwrap', sandbox, signal)) === undefined)
    return findsFault(
      'bubblewrap',
      `${version}, but this kernel lets it make no namespaces`,
      'run as root, or allow it: sysctl kernel.unprivileged_userns_clone=1 (Ubuntu 24.04: kernel.apparmor_restrict_unprivileged_userns=0)',
    );
  return finds('bubblewrap', `${version}, namespaces work`);
}

/** What the program printed first; undefined when it is not there, fails or hangs. */
async function probe(
  program: string,
  words: string[],
  signal: AbortSignal,
): Promise<string | undefined> {
  const ran = await execa(program, words, {
    reject: false,
    timeout: probeMilliseconds,
    cancelSignal: signal,
    stdin: 'ignore',
    extendEnv: false,
    env: { PATH: process.env['PATH'] },
  });
  return ran.failed ? undefined : (`${ran.stdout}\n${ran.stderr}`.trim().split('\n')[0] ?? '');
}
