import { readFileSync } from 'node:fs';
import { Command, CommanderError } from 'commander';
import { groups, singles } from './catalogue.ts';
import { exitCodeHelp, exitCodes } from './exit-codes.ts';
import { nameProgram } from './output/name-program.ts';

const start = `
Start here:
  $ windlass local up
  $ windlass board create demo
  $ windlass run start examples/document-digest/plan.yaml --board demo \\
      --input 'documents=examples/document-digest/documents/*' --watch

Where the API is: --stack NAME, else --api-url URL, else WINDLASS_STACK, else WINDLASS_API_URL, else the
local stack "default".

Environment:
  WINDLASS_API_URL       the ApiUrl output of a deployment
  WINDLASS_STACK         name of a local stack
  WINDLASS_BOARD         board of the run commands
  WINDLASS_WORKER_RUNTIME
                         adapter of the artifact commands; else HERMES_HELMET_WORKER_RUNTIME
  WINDLASS_STATE_FOLDER  where local stacks are kept, instead of .windlass in the repository
  WINDLASS_LOCAL_ACCESS_KEY_ID, WINDLASS_LOCAL_SECRET_ACCESS_KEY, WINDLASS_LOCAL_SESSION_TOKEN
                         call a local stack as somebody else than its root
  WINDLASS_DEBUG=1       show where an unexpected fault happened
  NO_COLOR=1             no colours
A deployment is called with the usual AWS credentials; a local stack ignores the AWS variables.`;

/** Runs one command line and sets the exit status of the process. */
export async function main(given: string[]): Promise<void> {
  // `help run start` is asked of the command itself, as only that one is loaded with its options.
  const asked = given[0] === 'help' ? given.slice(1) : undefined;
  const isKnown =
    asked?.[0] === undefined || Object.hasOwn(groups, asked[0]) || Object.hasOwn(singles, asked[0]);
  const words = asked === undefined ? given : isKnown ? [...asked, '--help'] : asked;
  process.stdout.on('error', leaveClosedPipe);
  process.stderr.on('error', leaveClosedPipe);
  const program = await buildProgram(words);
  try {
    await program.parseAsync(words, { from: 'user' });
  } catch (error) {
    if (error instanceof CommanderError) {
      // Help and version arrive here too, with status 0; a wrong command line has 1 there.
      process.exitCode = error.exitCode === 0 ? exitCodes.ok : exitCodes.usage;
      if (error.exitCode !== 0 && words.includes('--json') && error.code !== 'commander.help') {
        const message = error.message.replace(/^error: /, '');
        const failure = { code: 'USAGE', exit: exitCodes.usage, message };
        process.stdout.write(`${JSON.stringify({ error: failure })}\n`);
      }
      return;
    }
    const { reportFailure } = await import('./report-failure.ts');
    process.exitCode = reportFailure(error, words.includes('--json'));
  }
}

/** The whole tree by name; only the command that is called gets its options and its code. */
async function buildProgram(words: string[]): Promise<Command> {
  const program = configure(new Command('windlass'))
    .description('Runs a graph of work in your own AWS account, or on this machine.')
    .version(readVersion(), '-V, --version', 'print the version')
    .addHelpText('after', `${start}\n${exitCodeHelp}`);
  const named = words.filter((word) => !word.startsWith('-'));
  const [first, second] = named;
  for (const [name, group] of Object.entries(groups)) {
    const parent = configure(program.command(name)).description(group.summary);
    for (const [verbName, verb] of Object.entries(group.verbs)) {
      const child = configure(parent.command(verbName)).description(verb.summary);
      if (name !== first) continue;
      if (second === verbName || (second === 'help' && named[2] === verbName)) {
        (await verb.load()).defineCommand(child);
      }
    }
  }
  for (const [name, verb] of Object.entries(singles)) {
    const child = configure(program.command(name)).description(verb.summary);
    if (name === first) (await verb.load()).defineCommand(child);
  }
  return program;
}

function configure(command: Command): Command {
  return command
    .exitOverride()
    .showSuggestionAfterError()
    .configureOutput({
      outputError: (text, write) => {
        write(nameProgram(text.replace(/^error: /, 'windlass: ')));
      },
      writeOut: (text) => void process.stdout.write(nameProgram(text)),
      writeErr: (text) => void process.stderr.write(nameProgram(text)),
    })
    .helpOption('-h, --help', 'print this help');
}

function readVersion(): string {
  const file = readFileSync(new URL('../package.json', import.meta.url), 'utf8');
  return (JSON.parse(file) as { version: string }).version;
}

/** A reader such as `head` that has seen enough is no fault. */
function leaveClosedPipe(error: NodeJS.ErrnoException): void {
  if (error.code === 'EPIPE') process.exit(process.exitCode ?? exitCodes.ok);
  throw error;
}
