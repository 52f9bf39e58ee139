import type { AdapterVerb, ArtifactVerb, Behaviour } from '../behaviour.ts';
import { canary, content, listed, print, printJson, takeInput, uploaded } from '../call.ts';
import type { Call } from '../call.ts';

const codes: [status: number, code: string][] = [
  [1, 'artifact_transport_failed'],
  [2, 'artifact_transport_failed'],
  [3, 'artifact_not_found'],
  [4, 'artifact_too_large'],
  [5, 'artifact_integrity_failed'],
  [6, 'artifact_transport_failed'],
  [125, 'artifact_transport_failed'],
  [126, 'artifact_transport_unavailable'],
  [127, 'artifact_transport_unavailable'],
  [137, 'artifact_transport_failed'],
  [255, 'artifact_transport_failed'],
];

const requirements: Record<string, string> = {
  artifact_transport_failed: 'A42',
  artifact_not_found: 'A24',
  artifact_too_large: 'A28',
  artifact_integrity_failed: 'A26',
  artifact_transport_unavailable: 'A40',
};

const verbOf: Record<ArtifactVerb, AdapterVerb> = {
  upload: 'artifact-upload',
  list: 'artifact-list',
  download: 'artifact-download',
};

/** Prints a whole good answer and a secret first: a status says more than any output. */
function answerThenEnd(end: () => void): (call: Call) => void {
  return (call) => {
    if (call.verb === 'artifact-upload') {
      takeInput();
      printJson(uploaded(call));
    } else if (call.verb === 'artifact-list') printJson([listed()]);
    else print(content);
    print(`password=${canary}\n`);
    end();
  };
}

function exitsWith(command: ArtifactVerb, status: number, code: string): Behaviour {
  return {
    title: `${requirements[code] ?? ''} ${command}: a good answer, a secret, then status ${String(status)}`,
    command,
    code,
    act: { [verbOf[command]]: answerThenEnd(() => process.exit(status)) },
  };
}

const statuses = codes.flatMap(([status, code]) => [
  exitsWith('download', status, code),
  ...(status <= 5 || status === 126 || status === 127
    ? [exitsWith('upload', status, code), exitsWith('list', status, code)]
    : []),
]);

const signals = (['SIGKILL', 'SIGTERM', 'SIGABRT', 'SIGALRM'] as const).map(
  (signal): Behaviour => ({
    title: `A42 download: a good answer, then killed by ${signal}`,
    command: 'download',
    code: 'artifact_transport_failed',
    act: {
      'artifact-download': answerThenEnd(() => {
        // A listener of ours or of Node would turn some signals into nothing.
        process.removeAllListeners(signal);
        process.kill(process.pid, signal);
        for (;;);
      }),
    },
  }),
);

const earlyEnds = ([3, 4, 5] as const).map((status): Behaviour => ({
  title: `A59 upload: status ${String(status)} before a byte of 2 MiB is read`,
  command: 'upload',
  uploadBytes: 2_097_152,
  code: codes.find(([listedStatus]) => listedStatus === status)?.[1] ?? '',
  act: { 'artifact-upload': () => process.exit(status) },
}));

const listingEnds = ([3, 4, 5, 1] as const).map((status): Behaviour => ({
  title: `A59 download: its listing ends with status ${String(status)}`,
  command: 'download',
  code: codes.find(([listedStatus]) => listedStatus === status)?.[1] ?? '',
  act: { 'artifact-list': answerThenEnd(() => process.exit(status)) },
}));

export const exitStatuses: Behaviour[] = [...statuses, ...signals, ...earlyEnds, ...listingEnds];
