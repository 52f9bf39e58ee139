import { mkdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { pinnedNode, repositoryRoot } from '../repository-paths.ts';
import { composeContainerCommand } from './container-command.ts';
import { composeContainerEnvironment } from './container-environment.ts';
import {
  killContainer,
  startContainer,
  terminateContainer,
  type ContainerProcess,
} from './container-process.ts';
import type { FargateSettings } from './fargate-settings.ts';
import { findStartRefusal } from './find-start-refusal.ts';
import { forwardLog } from './forward-log.ts';
import { leaseTaskUser } from './lease-task-user.ts';
import { awaitMemoryExcess } from './memory-watch.ts';
import {
  cannotStartContainer,
  essentialContainerExited,
  outOfMemoryReason,
  type StopCause,
} from './stop-cause.ts';
import { readTaskId, type ContainerDefinition, type TaskRecord } from './task-record.ts';
import { sendLogLines, type ContainerReport, type TaskReport } from './task-report.ts';

const millisecondsInSecond = 1_000;
const isRoot = process.getuid?.() === 0;

interface RunningContainer {
  definition: ContainerDefinition;
  process: ContainerProcess;
  exitCode?: number;
  reason?: string;
}

/** One Fargate task from its start until its last process is gone. */
export class RunningTask {
  readonly #record: TaskRecord;
  readonly #settings: FargateSettings;
  readonly #send: (report: TaskReport) => Promise<void>;
  readonly #folder: string;
  readonly #containers: RunningContainer[] = [];
  readonly #logs: Promise<void>[] = [];
  #starting: Promise<void> | undefined;
  #stopCause: StopCause | undefined;
  #reports: Promise<void> = Promise.resolve();

  constructor(
    record: TaskRecord,
    settings: FargateSettings,
    send: (report: TaskReport) => Promise<void>,
  ) {
    this.#record = record;
    this.#settings = settings;
    this.#send = send;
    this.#folder = path.join(settings.tasksFolder, readTaskId(record.taskArn));
  }

  /** Settles when the task is reported STOPPED. */
  async run(): Promise<void> {
    const refusal = await findStartRefusal(this.#record, this.#settings);
    const user = refusal === undefined ? await leaseTaskUser(isRoot) : undefined;
    if (refusal === undefined) {
      this.#starting = this.#startContainers(user?.uid);
      await this.#starting;
      if (this.#stopCause === undefined) this.#report('RUNNING');
      await Promise.all(this.#containers.map((container) => this.#follow(container)));
    } else {
      this.#stopCause ??= refusal;
    }
    this.#stopCause ??= essentialContainerExited;
    await Promise.all(this.#logs);
    await user?.release();
    await rm(this.#folder, { recursive: true, force: true, maxRetries: 3 });
    // The folder stays as the mark that the task was started once.
    await mkdir(this.#folder, { recursive: true });
    this.#report('STOPPED');
    await this.#reports;
  }

  /** SIGTERM now, SIGKILL after each container's stop timeout; the first cause stays. */
  async stop(cause: StopCause): Promise<void> {
    if (this.#stopCause !== undefined) return;
    this.#stopCause = cause;
    this.#report('STOPPING');
    await this.#starting;
    await Promise.all(this.#containers.map((container) => this.#end(container)));
  }

  async #startContainers(sandboxUid: number | undefined): Promise<void> {
    const exchange = path.join(this.#folder, 'exchange');
    await mkdir(exchange, { recursive: true });
    for (const definition of this.#record.containerDefinitions) {
      if (this.#stopCause !== undefined) return;
      try {
        const process = await this.#startContainer(definition, { exchange, sandboxUid });
        this.#containers.push({ definition, process });
      } catch (error) {
        this.#stopCause = cannotStartContainer((error as Error).message);
        await Promise.all(this.#containers.map(({ process }) => killContainer(process)));
        return;
      }
    }
  }

  async #startContainer(
    definition: ContainerDefinition,
    { exchange, sandboxUid }: { exchange: string; sandboxUid: number | undefined },
  ): Promise<ContainerProcess> {
    const { emulator, environmentsFolder, hiddenFolder, logsFolder, programs } = this.#settings;
    const program = programs[definition.name];
    if (program === undefined) throw new Error(`no program for container ${definition.name}`);
    const temporaryFolder = path.join(this.#folder, `${definition.name}-tmp`);
    const logFolder = path.join(logsFolder, readTaskId(this.#record.taskArn));
    await mkdir(temporaryFolder, { recursive: true, mode: 0o700 });
    await mkdir(logFolder, { recursive: true });
    const script = path.resolve(repositoryRoot, program.script);
    const place = { script, node: pinnedNode, exchange, temporaryFolder, hiddenFolder };
    const environment = composeContainerEnvironment(this.#record, definition, program, {
      ...emulator,
      exchange,
      temporaryFolder,
      environmentsFolder,
      sandboxUid,
    });
    const command = composeContainerCommand(program, place, isRoot);
    const file = path.join(logFolder, `${definition.name}.log`);
    const process = await startContainer(command, environment, file);
    this.#logs.push(this.#forwardLog(definition.name, file, process));
    return process;
  }

  /** A log line that does not arrive must not change what becomes of the task. */
  async #forwardLog(container: string, file: string, { ended }: ContainerProcess): Promise<void> {
    const { taskArn } = this.#record;
    const send = (lines: string[]) =>
      sendLogLines(this.#settings.emulator, { taskArn, container, lines });
    await forwardLog({ file, ended, send }).catch((error: unknown) => {
      console.error(taskArn, container, error);
    });
  }

  async #follow(container: RunningContainer): Promise<void> {
    const { definition, process } = container;
    if (definition.memory !== undefined) void this.#watchMemory(container, definition.memory);
    container.exitCode = await process.ended;
    if (definition.essential) await this.stop(essentialContainerExited);
    else if (this.#stopCause === undefined) this.#report('RUNNING');
  }

  async #watchMemory(container: RunningContainer, limitMiB: number): Promise<void> {
    if (!(await awaitMemoryExcess(container.process.init, limitMiB))) return;
    container.reason = outOfMemoryReason;
    await killContainer(container.process);
  }

  async #end({ definition, process }: RunningContainer): Promise<void> {
    await terminateContainer(process);
    const timer = setTimeout(() => {
      void killContainer(process);
    }, definition.stopTimeout * millisecondsInSecond);
    await process.ended;
    clearTimeout(timer);
  }

  /** Reports leave in order: each waits for the one before. */
  #report(lastStatus: TaskReport['lastStatus']): void {
    const { taskArn } = this.#record;
    const containers = this.#describeContainers();
    const report: TaskReport =
      lastStatus === 'RUNNING'
        ? { taskArn, lastStatus, containers }
        : { taskArn, lastStatus, containers, ...(this.#stopCause ?? essentialContainerExited) };
    this.#reports = this.#reports.then(() => this.#send(report));
  }

  #describeContainers(): ContainerReport[] {
    return this.#containers.map(({ definition, exitCode, reason }) => ({
      name: definition.name,
      lastStatus: exitCode === undefined ? 'RUNNING' : 'STOPPED',
      ...(exitCode === undefined ? {} : { exitCode }),
      ...(reason === undefined ? {} : { reason }),
    }));
  }
}
