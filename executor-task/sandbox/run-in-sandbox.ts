import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';

import { buildLaunch } from './build-launch.ts';
import { captureOutput, type CapturedOutput, type OutputKeeping } from './capture-output.ts';
import { decodeEnding } from './decode-ending.ts';
import { nameLimitMechanisms, type LimitMechanisms } from './name-limit-mechanisms.ts';
import { openLimitGroup, type LimitGroup } from './limit-group.ts';
import type { Sandbox } from './open-sandbox.ts';
import type { ProfileName } from './choose-profile.ts';
import { START_SECONDS, type SandboxLimits } from './policy/sandbox-limits.ts';
import { SANDBOX_POLICY } from './policy/sandbox-policy.ts';
import { readPidNamespace, type TreeMembership } from './read-tree-usage.ts';
import type { SandboxIdentity } from './sandbox-identity.ts';
import type { ReadOnlyMount } from './sandbox-launch.ts';
import { generateFilter } from './seccomp/generate-filter.ts';
import {
  startListener,
  type ListenerEnd,
  type RunningListener,
  type SandboxViolation,
} from './start-listener.ts';
import { watchLimits, type SandboxLimitName, type LimitWatch } from './watch-limits.ts';

export interface SandboxRun {
  readonly argv: readonly string[];
  readonly readOnlyMounts?: readonly ReadOnlyMount[];
  /** Added to a fixed PATH, HOME, TMPDIR and LANG; nothing is inherited (E85). */
  readonly environment?: Readonly<Record<string, string>>;
  /** Tighter or wider than the sandbox's; the size of the tree stays as it was opened. */
  readonly limits?: Partial<SandboxLimits>;
  readonly stdout: OutputKeeping;
  readonly stderr: OutputKeeping;
  /** Aborting it kills the whole tree. */
  readonly signal?: AbortSignal;
}

/** What the sandbox measured; nothing in it comes from the command's own account (E90). */
export interface SandboxRecord {
  /** 128 + n where the command died of signal n; null when the sandbox was killed from outside. */
  readonly exitCode: number | null;
  readonly signal: string | null;
  readonly timedOut: boolean;
  /** Ended by the caller's signal. */
  readonly stopped: boolean;
  readonly exceededLimits: readonly SandboxLimitName[];
  readonly violations: readonly SandboxViolation[];
  readonly stdout: CapturedOutput;
  readonly stderr: CapturedOutput;
  readonly resources: {
    readonly cpuSeconds: number;
    readonly maxRssBytes: number;
    readonly wallSeconds: number;
    /** Most processes and threads seen at once. */
    readonly processes: number;
  };
  readonly limitMechanisms: LimitMechanisms;
  readonly profile: ProfileName;
  readonly kernelIdentity: SandboxIdentity;
}

export class SandboxStartError extends Error {
  override readonly name = 'SandboxStartError';
}

/** Thrown when processes of an attempt may still be alive: nothing of its tree may be read. */
export class SandboxTeardownError extends Error {
  override readonly name = 'SandboxTeardownError';
}

/**
 * Runs one command in an opened sandbox and returns when nothing of it is left alive.
 * @throws SandboxStartError when the command was never started, SandboxTeardownError when its end was not confirmed.
 */
export async function runInSandbox(sandbox: Sandbox, run: SandboxRun): Promise<SandboxRecord> {
  const limits = { ...sandbox.limits, ...run.limits };
  const group = openLimitGroup(randomUUID(), limits);
  try {
    const listener = startListener({
      launch: await buildLaunch(sandbox, {
        argv: run.argv,
        environment: run.environment ?? {},
        readOnlyMounts: run.readOnlyMounts ?? [],
        limits,
      }),
      filter: generateFilter(SANDBOX_POLICY, {
        architecture: sandbox.architecture,
        hostileAction: 'notify',
        hasMemoryGroup: group !== undefined,
      }),
      groups: group?.folders ?? [],
      namespaced: sandbox.profile === 'namespaced',
      uid: sandbox.profile === 'fargate' ? sandbox.identity.uid : undefined,
    });
    return await followRun({ sandbox, run, limits, group, listener });
  } finally {
    group?.remove();
  }
}

interface FollowedRun {
  readonly sandbox: Sandbox;
  readonly run: SandboxRun;
  readonly limits: SandboxLimits;
  readonly group: LimitGroup | undefined;
  readonly listener: RunningListener;
}

async function followRun(followed: FollowedRun): Promise<SandboxRecord> {
  const { sandbox, run, limits, group, listener } = followed;
  const stop = (): void => {
    listener.kill();
  };
  const startDeadline = setTimeout(stop, START_SECONDS * 1000);
  run.signal?.addEventListener('abort', stop, { once: true });
  if (run.signal?.aborted === true) stop();
  const outputs = Promise.all([
    captureOutput(listener.stdout, run.stdout),
    captureOutput(listener.stderr, run.stderr),
  ]);
  outputs.catch(stop);
  try {
    const first = await listener.started;
    clearTimeout(startDeadline);
    const startedAt = performance.now();
    const membership = first === undefined ? undefined : findMembership(sandbox, first);
    const watch = watchLimits({ limits, group, membership, storage: findStorage(sandbox) }, stop);
    const end = await listener.ended.finally(watch.stop);
    const [stdout, stderr] = await outputs;
    const stopped = run.signal?.aborted === true;
    if (first === undefined && !stopped) {
      const complaint = Buffer.from(stderr.bytes ?? (await readFile(stderr.path ?? '')));
      throw new SandboxStartError(`the sandbox did not start: ${complaint.toString().trim()}`);
    }
    if (end?.gone !== true) throw new SandboxTeardownError('a sandbox process may be left alive');
    return {
      ...(end.killed ? { exitCode: null, signal: 'SIGKILL' } : decodeEnding(end.status)),
      timedOut: watch.exceeded.has('wall'),
      stopped,
      exceededLimits: [...watch.exceeded],
      violations: listener.violations,
      stdout,
      stderr,
      resources: sumResources(end, watch, (performance.now() - startedAt) / 1000),
      limitMechanisms: nameLimitMechanisms(sandbox, group),
      profile: sandbox.profile,
      kernelIdentity: sandbox.identity,
    };
  } finally {
    clearTimeout(startDeadline);
    run.signal?.removeEventListener('abort', stop);
  }
}

function findMembership(sandbox: Sandbox, first: number): TreeMembership | undefined {
  if (sandbox.profile === 'fargate') return { kind: 'user', uid: sandbox.identity.uid };
  const link = readPidNamespace(first);
  return link === undefined ? undefined : { kind: 'namespace', link };
}

/** A sized tree holds by itself; a container's storage has to be watched. */
function findStorage(sandbox: Sandbox): string | undefined {
  return sandbox.profile === 'fargate' ? sandbox.tree.folder : undefined;
}

function sumResources(
  end: ListenerEnd,
  watch: LimitWatch,
  wallSeconds: number,
): SandboxRecord['resources'] {
  return {
    cpuSeconds: Math.max(end.cpuSeconds, watch.peak.cpuSeconds),
    maxRssBytes: Math.max(end.maxRssBytes, watch.peak.memoryBytes),
    wallSeconds,
    processes: watch.peak.processes,
  };
}
