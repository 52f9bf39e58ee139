const frames = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏'];
const frameMilliseconds = 100;

/** Says on standard error what a long step is doing: one redrawn line on a terminal, plain lines in a pipe. */
export interface Progress {
  start(text: string): void;
  /** Replaces the text of the current step; a pipe is not told. */
  update(text: string): void;
  finish(text: string): void;
  fail(text: string): void;
  /** Takes an unfinished line away; harmless when there is none. */
  stop(): void;
}

export function createProgress(options: { quiet: boolean }): Progress {
  if (options.quiet) return quietProgress;
  return process.stderr.isTTY && process.env['TERM'] !== 'dumb' ? drawProgress() : printProgress();
}

const quietProgress: Progress = {
  start: () => undefined,
  update: () => undefined,
  finish: () => undefined,
  fail: () => undefined,
  stop: () => undefined,
};

function printProgress(): Progress {
  const print = (text: string) => void process.stderr.write(`${text}\n`);
  return {
    ...quietProgress,
    start: (text) => {
      print(`${text} …`);
    },
    finish: (text) => {
      print(`✓ ${text}`);
    },
    fail: (text) => {
      print(`✗ ${text}`);
    },
  };
}

function drawProgress(): Progress {
  let timer: NodeJS.Timeout | undefined;
  let frame = 0;
  let current = '';
  const draw = () => {
    const width = process.stderr.columns || 80;
    const line = `${frames[frame % frames.length] ?? ''} ${current}`.slice(0, width - 1);
    process.stderr.write(`\r\u001b[2K${line}`);
    frame += 1;
  };
  const stop = () => {
    if (timer === undefined) return;
    clearInterval(timer);
    timer = undefined;
    process.stderr.write('\r\u001b[2K');
  };
  const begin = (text: string) => {
    current = text;
    if (timer === undefined) timer = setInterval(draw, frameMilliseconds).unref();
    draw();
  };
  const end = (line: string) => {
    stop();
    process.stderr.write(`${line}\n`);
  };
  return {
    start: begin,
    update: begin,
    finish: (text) => {
      end(`✓ ${text}`);
    },
    fail: (text) => {
      end(`✗ ${text}`);
    },
    stop,
  };
}
