import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { chmod, copyFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { build } from 'esbuild';

import type { SandboxLimits } from '../../executor-task/sandbox/policy/sandbox-limits.ts';
import type { SandboxRecord } from '../../executor-task/sandbox/run-in-sandbox.ts';
import { LISTENER_PATH } from '../../executor-task/sandbox/start-listener.ts';

export type RunAs = 'root' | 'ordinary user';

export interface SandboxOrder {
  readonly limits: Partial<SandboxLimits>;
  readonly runs: readonly {
    readonly argv: readonly string[];
    readonly limits?: Partial<SandboxLimits>;
    readonly stopAfterSeconds?: number;
  }[];
  readonly leaseFolder: string;
  readonly probes: string;
}

export type SandboxReply = Omit<SandboxRecord, 'stdout' | 'stderr'> & {
  readonly output: string;
  readonly errors: string;
  readonly outputTruncated: boolean;
};

/** Root can be both; an ordinary user only itself. */
export const RUN_AS: readonly RunAs[] =
  process.getuid?.() === 0 ? ['root', 'ordinary user'] : ['ordinary user'];

const NOBODY = '65534';

/** Bundles a program as it is shipped, with the listener beside it, where every user may read it. */
export async function bundleProgram(entry: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'sandbox-test-'));
  process.once('exit', () => {
    rmSync(folder, { recursive: true, force: true });
  });
  await chmod(folder, 0o755);
  const outfile = join(folder, 'program.mjs');
  await build({
    entryPoints: [entry],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    logLevel: 'error',
    banner: {
      js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);",
    },
  });
  await copyFile(LISTENER_PATH, join(folder, 'violation-listener.py'));
  await chmod(join(folder, 'violation-listener.py'), 0o644);
  return outfile;
}

/** The command line of a bundled program as a given user. */
export function renderArgvAs(runAs: RunAs, program: string): readonly [string, ...string[]] {
  const node = process.execPath;
  if (runAs === 'root' || process.getuid?.() !== 0) return [node, program];
  return [
    ...(['/usr/bin/setpriv', '--reuid', NOBODY, '--regid', NOBODY, '--clear-groups'] as const),
    ...['--bounding-set=-all', '--', node, program],
  ];
}

let bundled: Promise<string> | undefined;

/** Runs commands in one namespaced sandbox of a supervisor that is the given user. */
export async function runSandboxed(
  runAs: RunAs,
  runs: SandboxOrder['runs'],
  limits: Partial<SandboxLimits> = {},
  environment: Readonly<Record<string, string>> = {},
): Promise<SandboxReply[]> {
  bundled ??= bundleProgram(join(import.meta.dirname, 'sandbox-program.ts'));
  const [program, ...args] = renderArgvAs(runAs, await bundled);
  const leaseFolder = await mkdtemp(join(tmpdir(), 'sandbox-lease-'));
  const probes = join(import.meta.dirname, 'probes');
  const child = spawn(program, args, {
    stdio: ['pipe', 'pipe', 'pipe'],
    env: { PATH: '/usr/bin:/bin', ...environment },
    cwd: '/',
  });
  const ended = once(child, 'close');
  const order: SandboxOrder = { limits, runs, leaseFolder, probes };
  child.stdin.end(JSON.stringify(order));
  const [output, errors] = await Promise.all([text(child.stdout), text(child.stderr)]);
  await ended;
  await rm(leaseFolder, { recursive: true });
  if (child.exitCode !== 0) throw new Error(`the sandbox program failed: ${errors}`);
  return JSON.parse(output) as SandboxReply[];
}

/** Runs one command. */
export async function runOne(
  runAs: RunAs,
  argv: readonly string[],
  limits: Partial<SandboxLimits> = {},
): Promise<SandboxReply> {
  const [reply] = await runSandboxed(runAs, [{ argv }], limits);
  if (reply === undefined) throw new Error('the sandbox program gave no reply');
  return reply;
}
