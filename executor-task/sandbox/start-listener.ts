import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { Readable } from 'node:stream';

import { PYTHON } from './profiles/launch-parts.ts';
import { TEARDOWN_SECONDS } from './policy/sandbox-limits.ts';
import type { SandboxLaunch } from './sandbox-launch.ts';

/** A hostile system call that the kernel stopped (E94). */
export interface SandboxViolation {
  /** Process id as the supervisor's PID namespace counts. */
  readonly pid: number;
  readonly syscall: number;
  /** `seccomp_data.arch` of the call (linux/audit.h). */
  readonly architecture: number;
}

export interface ListenerEnd {
  /** Wait status of the sandbox's first program. */
  readonly status: number;
  /** Whether the sandbox was killed from outside: by a limit, a violation or an order. */
  readonly killed: boolean;
  /** Whether every process was seen to be gone. */
  readonly gone: boolean;
  readonly cpuSeconds: number;
  /** Largest resident size of one process. */
  readonly maxRssBytes: number;
}

export interface ListenerStart {
  readonly launch: SandboxLaunch;
  readonly filter: Uint8Array;
  /** Control group folders to join. */
  readonly groups: readonly string[];
  /** Whether the launch makes a PID namespace and reports its first process. */
  readonly namespaced: boolean;
  /** User whose every process is killed in the end, where there is no PID namespace to kill. */
  readonly uid?: number | undefined;
}

export interface RunningListener {
  readonly stdout: Readable;
  readonly stderr: Readable;
  readonly violations: SandboxViolation[];
  /** Host id of a process of the tree, once the filter holds and the command starts; undefined if it never did. */
  readonly started: Promise<number | undefined>;
  /** Undefined when the listener itself was killed. */
  readonly ended: Promise<ListenerEnd | undefined>;
  /** Kills the whole tree. */
  readonly kill: () => void;
}

interface Report extends Partial<SandboxViolation>, Partial<ListenerEnd> {
  readonly kind: 'started' | 'violation' | 'ended' | 'failed';
}

const REPORT_DESCRIPTOR = 3;

/** The file beside this module, which is also where a bundle puts it. */
export const LISTENER_PATH = fileURLToPath(new URL('./violation-listener.py', import.meta.url));

/** Starts the listener, which starts the sandbox. All dies when this process dies. */
export function startListener(start: ListenerStart): RunningListener {
  const child = spawn(PYTHON, ['-I', '-S', LISTENER_PATH, 'supervise'], {
    stdio: ['pipe', 'pipe', 'pipe', 'pipe'],
    env: {},
    cwd: '/',
  });
  // A listener that could not start closes its streams; the missing report tells.
  child.stdin.on('error', () => undefined);
  child.on('error', () => undefined);
  releaseStreams(child);
  child.stdin.write(renderOrder(start));
  const violations: SandboxViolation[] = [];
  return {
    stdout: child.stdout,
    stderr: child.stderr,
    violations,
    ...followReports(child, violations),
    kill: () => {
      child.stdin.end();
      const force = setTimeout(() => child.kill('SIGKILL'), TEARDOWN_SECONDS * 1000);
      child.once('close', () => {
        clearTimeout(force);
      });
    },
  };
}

/** A process that outlives a killed listener holds its pipes open: what it prints is nobody's, and nobody waits for it. */
function releaseStreams(child: ChildProcess): void {
  child.once('exit', () => {
    const force = setTimeout(() => {
      for (const stream of child.stdio) stream?.destroy();
    }, TEARDOWN_SECONDS * 1000);
    child.once('close', () => {
      clearTimeout(force);
    });
  });
}

function renderOrder({ launch, filter, groups, namespaced, uid }: ListenerStart): Buffer {
  const order = Buffer.from(
    JSON.stringify({
      argv: launch.argv,
      fds: { channel: launch.channel, status: launch.status },
      files: launch.files,
      filter: Buffer.from(filter).toString('hex'),
      groups,
      namespaced,
      uid,
      teardownSeconds: TEARDOWN_SECONDS,
    }),
  );
  const length = Buffer.alloc(4);
  length.writeUInt32LE(order.length);
  return Buffer.concat([length, order]);
}

function followReports(
  child: ChildProcess,
  violations: SandboxViolation[],
): Pick<RunningListener, 'started' | 'ended'> {
  const started = Promise.withResolvers<number | undefined>();
  let end: ListenerEnd | undefined;
  const lines = createInterface({ input: child.stdio[REPORT_DESCRIPTOR] as Readable });
  const read = once(lines, 'close');
  lines.on('line', (line) => {
    const report = JSON.parse(line) as Report;
    switch (report.kind) {
      case 'started':
        started.resolve(report.pid);
        break;
      case 'violation': {
        const { pid = 0, syscall = 0, architecture = 0 } = report;
        violations.push({ pid, syscall, architecture });
        break;
      }
      case 'failed':
        break;
      case 'ended': {
        const {
          status = 0,
          killed = false,
          gone = false,
          cpuSeconds = 0,
          maxRssBytes = 0,
        } = report;
        end = { status, killed, gone, cpuSeconds, maxRssBytes };
        break;
      }
    }
  });
  const ended = Promise.all([once(child, 'close'), read]).then(
    () => end,
    () => end,
  );
  void ended.then(() => {
    started.resolve(undefined);
  });
  return { started: started.promise, ended };
}
