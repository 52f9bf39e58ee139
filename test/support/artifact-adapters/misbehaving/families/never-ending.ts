import type { AdapterVerb, Behaviour } from '../behaviour.ts';
import { content, listed, liveOn, print, printJson } from '../call.ts';
import { startChild } from '../start-child.ts';

const timeoutSeconds = 2;
const code = 'artifact_transport_timeout';

function hangs(
  title: string,
  act: Behaviour['act'],
  command: Behaviour['command'] = 'list',
): Behaviour {
  return { title, command, code, timeoutSeconds, act: act ?? {} };
}

function onTerm(verb: AdapterVerb, heed: () => void): Behaviour['act'] {
  return {
    [verb]: async () => {
      process.on('SIGTERM', heed);
      await liveOn();
    },
  };
}

export const neverEnding: Behaviour[] = [
  hangs('A41 list: says nothing', { 'artifact-list': liveOn }),
  hangs('A41 upload: says nothing', { 'artifact-upload': liveOn }, 'upload'),
  hangs('A41 download: says nothing', { 'artifact-download': liveOn }, 'download'),
  hangs('A41 download: its listing says nothing', { 'artifact-list': liveOn }, 'download'),
  hangs('A48 list: a good answer, and stays', {
    'artifact-list': async () => {
      printJson([listed()]);
      await liveOn();
    },
  }),
  hangs(
    'A48 download: the right bytes, and stays',
    {
      'artifact-download': async () => {
        print(content);
        await liveOn();
      },
    },
    'download',
  ),
  hangs(
    'A49 list: ignores SIGTERM',
    onTerm('artifact-list', () => undefined),
  ),
  hangs(
    'A49 download: ignores SIGTERM',
    onTerm('artifact-download', () => undefined),
    'download',
  ),
  hangs(
    'A41 list: a good answer when it is told to end',
    onTerm('artifact-list', () => {
      printJson([listed()]);
      process.exit(0);
    }),
  ),
  hangs(
    'A41 list: status 3 when it is told to end',
    onTerm('artifact-list', () => process.exit(3)),
  ),
  hangs(
    'A41 download: the right bytes when it is told to end',
    onTerm('artifact-download', () => {
      print(content);
      process.exit(0);
    }),
    'download',
  ),
  hangs(
    'A49 list: starts another process when it is told to end',
    onTerm('artifact-list', () => {
      void startChild({ stdout: 'inherit' });
    }),
  ),
  hangs('A49 list: stops itself, so that SIGTERM waits', {
    'artifact-list': async () => {
      process.kill(process.pid, 'SIGSTOP');
      await liveOn();
    },
  }),
  hangs('A49 list: waits for a child that ignores SIGTERM', {
    'artifact-list': async () => {
      await startChild({ stdout: 'inherit' });
      await liveOn();
    },
  }),
  hangs('A41 list: turns in a circle', {
    'artifact-list': () => {
      for (;;);
    },
  }),
];
