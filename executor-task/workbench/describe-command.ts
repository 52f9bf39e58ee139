import type { z } from 'zod';

import type { CommandResult, syscallViolation } from '../exchange/result.ts';
import type { CapturedOutput } from '../sandbox/capture-output.ts';
import type { SandboxRecord } from '../sandbox/run-in-sandbox.ts';
import { AUDIT_ARCHITECTURE, readSyscallTable } from '../sandbox/seccomp/syscall-table.ts';
import type { Architecture } from '../sandbox/seccomp/syscall-table.ts';

export interface DescribedCommand {
  readonly commandId: string;
  readonly startedAt: Date;
  readonly finishedAt: Date;
  readonly stdoutFile: string;
  readonly stderrFile: string;
}

/** The sandbox's record of one command, in the words of the exchange. */
export function describeCommand(command: DescribedCommand, record: SandboxRecord): CommandResult {
  const { resources } = record;
  return {
    command_id: command.commandId,
    exit_code: record.exitCode,
    signal: record.signal,
    timed_out: record.timedOut,
    stopped: record.stopped,
    exceeded_limits: [...record.exceededLimits],
    stdout: describeStream(record.stdout),
    stderr: describeStream(record.stderr),
    stdout_file: command.stdoutFile,
    stderr_file: command.stderrFile,
    started_at: command.startedAt.toISOString(),
    finished_at: command.finishedAt.toISOString(),
    cpu_milliseconds: Math.round(resources.cpuSeconds * 1000),
    max_rss_bytes: Math.round(resources.maxRssBytes),
    wall_milliseconds: Math.round(resources.wallSeconds * 1000),
    processes: resources.processes,
  };
}

/** The hostile calls of a command, by name where the architecture's table has one. */
export function describeViolations(
  commandId: string,
  record: SandboxRecord,
): z.infer<typeof syscallViolation>[] {
  return record.violations.map(({ syscall, architecture, pid }) => ({
    command_id: commandId,
    syscall,
    syscall_name: nameSyscall(syscall, architecture),
    architecture,
    pid,
  }));
}

function nameSyscall(number: number, audited: number): string | null {
  for (const [architecture, value] of Object.entries(AUDIT_ARCHITECTURE)) {
    if (value !== audited) continue;
    for (const [name, each] of readSyscallTable(architecture as Architecture)) {
      if (each === number) return name;
    }
  }
  return null;
}

function describeStream({ sha256, size, truncated }: CapturedOutput): CommandResult['stdout'] {
  return { sha256, size, truncated };
}
