import { text } from 'node:stream/consumers';

import { openSandbox } from '../../executor-task/sandbox/open-sandbox.ts';
import { runInSandbox } from '../../executor-task/sandbox/run-in-sandbox.ts';
import { DEFAULT_SANDBOX_LIMITS } from '../../executor-task/sandbox/policy/sandbox-limits.ts';
import type { SandboxOrder, SandboxReply } from './run-sandboxed.ts';

/** Runs the commands of an order in one sandbox, each after the other, as whatever user this process is. */
async function runOrder(order: SandboxOrder): Promise<SandboxReply[]> {
  const opened = await openSandbox({
    profile: 'namespaced',
    requiresOwnUser: false,
    limits: { ...DEFAULT_SANDBOX_LIMITS, ...order.limits },
    leaseFolder: order.leaseFolder,
  });
  if (opened.kind === 'refused') throw new Error(opened.reasons.join('; '));
  const replies: SandboxReply[] = [];
  try {
    for (const run of order.runs) {
      const record = await runInSandbox(opened.sandbox, {
        argv: run.argv,
        readOnlyMounts: [{ source: order.probes, target: '/opt/probes' }],
        limits: run.limits ?? {},
        stdout: { limitBytes: 100_000 },
        stderr: { limitBytes: 100_000 },
        ...(run.stopAfterSeconds === undefined
          ? {}
          : { signal: AbortSignal.timeout(run.stopAfterSeconds * 1000) }),
      });
      const { stdout, stderr, ...rest } = record;
      replies.push({
        ...rest,
        output: Buffer.from(stdout.bytes ?? []).toString(),
        errors: Buffer.from(stderr.bytes ?? []).toString(),
        outputTruncated: stdout.truncated,
      });
    }
  } finally {
    await opened.sandbox.close();
  }
  return replies;
}

const order = JSON.parse(await text(process.stdin)) as SandboxOrder;
process.stdout.write(JSON.stringify(await runOrder(order)));
