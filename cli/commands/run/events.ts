import type { Command } from 'commander';
import { connect } from '../../api/connect.ts';
import type { WindlassApi } from '../../api/windlass-api.ts';
import { withInterruption } from '../../interruption.ts';
import { addBoardOptions, type BoardOptions } from '../../options/connection-options.ts';
import { chooseBoard, readCount, readRunArgument } from '../../options/read-arguments.ts';
import { createOutput } from '../../output/output.ts';
import { describeRecordedEvent, type KnownAttempts } from '../../watch/describe-event.ts';
import { followEvents, type EventPage } from '../../watch/follow-events.ts';

interface EventsOptions extends BoardOptions {
  after: number;
  follow?: boolean;
}

const examples = `
Examples:
  $ windlass run events run_01JQ5T8Z9Q6X4V2N7M3K1H0GFE --board demo
  $ windlass run events run_01JQ5T8Z9Q6X4V2N7M3K1H0GFE --after 42 --follow
  $ windlass run events run_01JQ5T8Z9Q6X4V2N7M3K1H0GFE --json | jq 'select(.event.type == "NODE_FAILED")'

--json prints one document a line: the number of the commit and the event.`;

export function defineCommand(command: Command): void {
  addBoardOptions(
    command
      .argument('<run>', 'id of the run', readRunArgument)
      .option('--after <number>', 'only events of commits after this one', readCount, 0)
      .option('-f, --follow', 'go on until the run ends'),
  )
    .addHelpText('after', examples)
    .action(async (run: string, options: EventsOptions) => {
      const output = createOutput(options);
      const board = chooseBoard(options.board, process.env);
      const known: KnownAttempts = new Map();
      await withInterruption(
        () => 'the run goes on',
        async (signal) => {
          const { api } = await connect(options, process.env, signal);
          const read = { api, board, run, after: options.after, signal };
          const pages = options.follow === true ? followEvents(read) : readPages(read);
          for await (const { events } of pages) {
            for (const event of events) {
              if (output.json) output.writeJsonLine(event);
              else output.write(`${String(event.seq)} ${describeRecordedEvent(event, known)}`);
            }
          }
        },
      );
    });
}

/** Every page that is there now. */
async function* readPages(read: {
  api: WindlassApi;
  board: string;
  run: string;
  after: number;
}): AsyncGenerator<EventPage> {
  let { after } = read;
  for (;;) {
    const page = await read.api.readEvents(read.board, read.run, after);
    yield page;
    if (page.next === after) return;
    after = page.next;
  }
}
