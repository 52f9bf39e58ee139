import { parseArgs } from 'node:util';
import { deployStack } from './deploy-stack.ts';
import { describeDeployment, describeLocalEnvironment } from './local-environment.ts';
import { showLocalStack } from './show-stack.ts';
import type { StackProgress } from './stack-progress.ts';
import { defaultStackName, readStackState } from './stack-state.ts';
import { startLocalStack } from './start-stack.ts';
import { stopLocalStack } from './stop-stack.ts';

// Entry: node test/local/main.ts up|down|status|env|deploy [--name NAME] [--json]
// With --json every line of standard output is one JSON object; the last one is the result.
const usage = 'usage: main.ts up|down|status|env|deploy [--name NAME] [--json]';

interface Request {
  name: string;
  json: boolean;
}

function printProgress(request: Request, progress: StackProgress): void {
  if (request.json) {
    console.log(JSON.stringify({ type: 'progress', ...progress }));
    return;
  }
  const { step, status, seconds } = progress;
  console.log(`${step}: ${status}${seconds === undefined ? '' : ` (${seconds.toFixed(1)} s)`}`);
}

function printResult(request: Request, result: object, plain: string): void {
  console.log(request.json ? JSON.stringify({ type: 'result', ...result }) : plain);
}

async function printStatus(request: Request): Promise<void> {
  const status = await showLocalStack(request.name);
  const { emulator, fargate, deployed, endpoint } = status;
  const parts = [`emulator ${emulator}`, `Fargate ${fargate}`, deployed ? 'deployed' : 'empty'];
  printResult(request, status, `${request.name}: ${[...parts, endpoint ?? ''].join(', ')}`);
}

async function printEnvironment(request: Request): Promise<void> {
  const state = await readStackState(request.name);
  if (state === undefined) throw new Error(`stack "${request.name}" is not up`);
  const environment = { ...describeLocalEnvironment(state), ...describeDeployment(state) };
  const lines = Object.entries(environment).map(([name, value]) => `export ${name}='${value}'`);
  printResult(request, { environment }, lines.join('\n'));
}

async function runCommand(command: string | undefined, request: Request): Promise<void> {
  const { name } = request;
  const onProgress = (progress: StackProgress) => {
    printProgress(request, progress);
  };
  switch (command ?? '') {
    case 'up':
      await startLocalStack({ name, onProgress });
      return printStatus(request);
    case 'deploy':
      await deployStack({ name, onProgress });
      return printStatus(request);
    case 'down':
      await stopLocalStack(name, onProgress);
      return printStatus(request);
    case 'status':
      return printStatus(request);
    case 'env':
      return printEnvironment(request);
    default:
      throw new Error(usage);
  }
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    name: { type: 'string', default: defaultStackName },
    json: { type: 'boolean', default: false },
  },
});
try {
  await runCommand(positionals[0], values);
} catch (error) {
  const message = error instanceof Error ? error.message : String(error);
  if (values.json) console.log(JSON.stringify({ type: 'error', message }));
  else console.error(message);
  process.exitCode = 1;
}
