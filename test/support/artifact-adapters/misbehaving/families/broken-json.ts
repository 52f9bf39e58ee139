import type { Behaviour } from '../behaviour.ts';
import { canary, listed, print, takeInput, uploaded } from '../call.ts';
import type { Call } from '../call.ts';

const code = 'artifact_transport_invalid';
const good = () => JSON.stringify([listed()]);

function lists(title: string, output: () => string | Buffer): Behaviour {
  return {
    title: `A43 list: ${title}`,
    command: 'list',
    code,
    act: {
      'artifact-list': () => {
        print(output());
      },
    },
  };
}

function answersUpload(title: string, output: (call: Call) => string | Buffer): Behaviour {
  return {
    title: `A43 upload: ${title}`,
    command: 'upload',
    code,
    act: {
      'artifact-upload': (call) => {
        takeInput();
        print(output(call));
      },
    },
  };
}

/** A sound text but for two bytes that are no UTF-8. */
function breakEncoding(): Buffer {
  const text = Buffer.from(JSON.stringify([listed({ filename: 'XX.docx' })]));
  text.set([0xc3, 0x28], text.indexOf('XX'));
  return text;
}

/** Drops what a recursive reader would fall over. */
const deepest = 200_000;

export const brokenJson: Behaviour[] = [
  {
    ...lists('white space around a good answer is none of it', () => `\n\t ${good()} \r\n`),
    code: 'ok',
  },
  lists('nothing at all', () => ''),
  lists('white space only', () => ' \n\n'),
  lists('cut off in the middle', () => good().slice(0, -20)),
  lists('an object instead of an array', () => JSON.stringify(listed())),
  lists('null', () => 'null'),
  lists('a text', () => JSON.stringify(canary)),
  lists('two documents', () => `${good()}\n${good()}`),
  lists('one record a line', () => `${JSON.stringify(listed())}\n${JSON.stringify(listed())}\n`),
  lists('a log line before it', () => `INFO token=${canary}\n${good()}`),
  lists('a log line after it', () => `${good()}\nDONE token=${canary}\n`),
  lists('a NUL after it', () => `${good()}\0`),
  lists('NaN for a size', () => good().replace(/"size":\d+/, '"size":NaN')),
  lists('a comma too many', () => good().replace(']', ',]')),
  lists('single quotes', () => good().replaceAll('"', "'")),
  lists('a byte order mark', () => `\ufeff${good()}`),
  lists('UTF-16', () => Buffer.from(good(), 'utf16le')),
  lists('bytes that are no UTF-8', breakEncoding),
  lists('arrays as deep as memory goes', () => '['.repeat(deepest) + ']'.repeat(deepest)),
  lists('an array of arrays', () => `[${good()}]`),
  lists('an array with a null', () => JSON.stringify([listed(), null])),
  lists('an array with a hole', () => `[,${good().slice(1)}`),
  answersUpload('nothing at all', () => ''),
  answersUpload('an array', (call) => JSON.stringify([uploaded(call)])),
  answersUpload('cut off in the middle', (call) => JSON.stringify(uploaded(call)).slice(0, -5)),
  answersUpload('two documents', (call) => JSON.stringify(uploaded(call)).repeat(2)),
  answersUpload('the word OK', () => 'OK\n'),
  answersUpload('a byte order mark', (call) => `\ufeff${JSON.stringify(uploaded(call))}`),
];
