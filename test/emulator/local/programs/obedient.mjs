// A container for tests of local Fargate: it does what the variable BEHAVIOUR says.
import { spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { networkInterfaces } from 'node:os';
import path from 'node:path';

const [verb, argument] = (process.env.BEHAVIOUR ?? 'wait').split(':');
const stay = () => setInterval(() => undefined, 60_000);
const tell = (name, value) => {
  writeFileSync(path.join(process.env.WINDLASS_EXCHANGE, name), JSON.stringify(value));
};
const readCommandLines = () =>
  readdirSync('/proc')
    .filter((entry) => /^\d+$/.test(entry))
    .map((pid) => {
      try {
        return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
      } catch {
        return '';
      }
    });

const behaviours = {
  say: () => process.stdout.write(`first line\n${argument}`),
  exit: () => process.exit(Number(argument)),
  wait: () => {
    process.once('SIGTERM', () => process.exit(3));
    tell('started', {});
    stay();
  },
  ignore: () => {
    process.on('SIGTERM', () => undefined);
    const script = 'process.on("SIGTERM",()=>{});setInterval(()=>{},1e6)';
    // In a session of its own, as a daemon would be.
    spawn(process.execPath, ['-e', script, process.env.MARK ?? ''], { detached: true });
    tell('started', {});
    stay();
  },
  eat: () => {
    globalThis.held = Buffer.alloc(Number(argument) * 1024 * 1024, 1);
    stay();
  },
  look: () => {
    tell(`seen-by-${argument}`, {
      environment: process.env,
      interfaces: Object.keys(networkInterfaces()),
      commandLines: readCommandLines(),
      seesSettings: existsSync(process.env.HIDDEN_FILE ?? ''),
      uid: process.getuid(),
      exchange: readdirSync(process.env.WINDLASS_EXCHANGE),
    });
    process.once('SIGTERM', () => process.exit(0));
    stay();
  },
};
behaviours[verb]();
