// Plain JavaScript that any Node from 20 on can run: the programs themselves are TypeScript and need
// the Node that package.json pins, which this file starts when the shell's own is older.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import module from 'node:module';
import { constants } from 'node:os';
import { fileURLToPath } from 'node:url';

const neededMajor = 24;
const root = new URL('../../', import.meta.url);
const passedSignals = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT', 'SIGUSR1', 'SIGUSR2'];

/**
 * Calls `start`, or starts `file` again with the pinned Node, whose streams, signals and exit status
 * are this process's own. Without any such Node the process ends with `cannotRunStatus`.
 */
export async function startOnPinnedNode({ name, file, cannotRunStatus, start }) {
  if (Number(process.versions.node.split('.')[0]) >= neededMajor) {
    // Stripping types and compiling takes most of the start-up time; the project keeps the result.
    module.enableCompileCache(fileURLToPath(new URL('.windlass/compile-cache', root)));
    await start();
    return;
  }
  const pinned = fileURLToPath(
    new URL(`node_modules/node-${process.platform}-${process.arch}/bin/node`, root),
  );
  if (!existsSync(pinned)) {
    process.stderr.write(
      `${name}: needs Node ${neededMajor}; this is ${process.versions.node} and ${pinned} is not there\n` +
        `  fix: run \`npm ci\` in ${fileURLToPath(root)}, or use Node ${neededMajor}\n`,
    );
    process.exit(cannotRunStatus);
  }
  const child = spawn(pinned, [fileURLToPath(file), ...process.argv.slice(2)], {
    stdio: 'inherit',
  });
  const handlers = passedSignals.map((signal) => {
    const handler = () => child.kill(signal);
    process.on(signal, handler);
    return [signal, handler];
  });
  child.on('error', (error) => {
    process.stderr.write(`${name}: ${pinned} does not start: ${error.message}\n`);
    process.exit(cannotRunStatus);
  });
  child.on('exit', (code, signal) => {
    for (const [passed, handler] of handlers) process.off(passed, handler);
    if (signal === null) process.exit(code ?? 1);
    // Ending by the same signal tells the shell what happened; some signals do not end this process.
    process.exitCode = 128 + (constants.signals[signal] ?? 0);
    process.kill(process.pid, signal);
  });
}
