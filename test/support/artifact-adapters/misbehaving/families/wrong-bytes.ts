import { gzipSync } from 'node:zlib';
import type { Behaviour } from '../behaviour.ts';
import { content, listed, print, printJson } from '../call.ts';

const capBytes = 26_214_400;

function sends(title: string, output: () => Buffer, code = 'artifact_integrity_failed'): Behaviour {
  return {
    title,
    command: 'download',
    code,
    act: {
      'artifact-download': () => {
        print(output());
      },
    },
  };
}

function flip(place: number): Buffer {
  const bytes = Buffer.from(content);
  bytes.writeUInt8(bytes.readUInt8(place) ^ 1, place);
  return bytes;
}

export const wrongBytes: Behaviour[] = [
  sends('A26 download: nothing', () => Buffer.alloc(0)),
  sends('A26 download: one byte too few', () => content.subarray(0, -1)),
  sends('A26 download: the first byte missing', () => content.subarray(1)),
  sends('A26 download: one byte too many', () => Buffer.concat([content, Buffer.from('\n')])),
  sends('A26 download: a log line before', () => Buffer.concat([Buffer.from('INFO\n'), content])),
  sends('A26 download: all of it twice', () => Buffer.concat([content, content])),
  sends('A26 download: one bit of the first byte', () => flip(0)),
  sends('A26 download: one bit of the last byte', () => flip(content.length - 1)),
  sends('A51 download: other bytes of the listed size', () => Buffer.alloc(content.length, 'x')),
  sends('A18 download: base64 of the bytes', () => Buffer.from(content.toString('base64'))),
  sends('A26 download: the bytes compressed', () => gzipSync(content)),
  sends('A26 download: line ends changed', () =>
    Buffer.from(content.toString('latin1').replaceAll('\r\n', '\n'), 'latin1'),
  ),
  sends('A26 download: the bytes as a text of another encoding', () =>
    Buffer.from(content.toString('latin1'), 'utf8'),
  ),
  sends('A51 download: the record instead of the bytes', () =>
    Buffer.from(JSON.stringify([listed()])),
  ),
  {
    title: 'A28 download: one byte above the cap, of a listed size at the cap',
    command: 'download',
    code: 'artifact_too_large',
    act: {
      'artifact-list': () => {
        printJson([listed({ size: capBytes })]);
      },
      'artifact-download': () => {
        print(Buffer.alloc(capBytes + 1));
      },
    },
  },
];
