import { describe, expect, it } from 'vitest';
import { computeRetryDelay } from '../../../cli/api/retry-delays.ts';
import { readRefusal } from '../../../cli/api/read-refusal.ts';
import { chooseMediaType } from '../../../cli/inputs/choose-media-type.ts';
import { cleanText } from '../../../cli/output/clean-text.ts';
import { formatBytes, formatBytesApart } from '../../../cli/output/format-bytes.ts';
import { countWords, formatDuration, formatMicroUsd } from '../../../cli/output/format-values.ts';
import { renderTable } from '../../../cli/output/table.ts';
import { computePollDelay } from '../../../cli/watch/follow-events.ts';
import { describeCounts, groupNodes } from '../../../cli/watch/group-nodes.ts';
import { createLiveView } from '../../../cli/watch/live-view.ts';
import { makeNode } from '../../support/stand-in-api/stand-in-state.ts';

describe('computeRetryDelay', () => {
  it('doubles up to a bound, and jitter spreads it from nothing', () => {
    const bounds = [1, 2, 3, 4, 5, 6, 20].map((attempt) =>
      computeRetryDelay(attempt, 1, undefined),
    );
    expect(bounds).toEqual([200, 400, 800, 1600, 3200, 4000, 4000]);
    expect(computeRetryDelay(5, 0, undefined)).toBe(0);
  });

  it('obeys the server within reason, and no date or nonsense', () => {
    expect(computeRetryDelay(1, 0.5, '3')).toBe(3_000);
    expect(computeRetryDelay(1, 0.5, '99999')).toBe(10_000);
    for (const header of ['-1', '1e9', 'Wed, 21 Oct 2026 07:28:00 GMT', ''])
      expect(computeRetryDelay(1, 0.5, header)).toBe(100);
  });
});

describe('computePollDelay', () => {
  it('is a quarter of a second while things happen, and grows to two seconds', () => {
    let delay = computePollDelay(2_000, true);
    expect(delay).toBe(250);
    for (let look = 0; look < 10; look += 1) delay = computePollDelay(delay, false);
    expect(delay).toBe(2_000);
  });
});

describe('readRefusal', () => {
  const problem = { type: 't', title: 'T', status: 500, code: 'INTERNAL', detail: 'd' };

  it('takes a problem document for a no, and one of 5xx for out of reach', () => {
    const refusal = JSON.stringify({ ...problem, status: 404, code: 'RUN_UNKNOWN' });
    expect(readRefusal(404, refusal)).toMatchObject({ exit: 1, code: 'RUN_UNKNOWN' });
    expect(readRefusal(500, JSON.stringify(problem))).toMatchObject({ exit: 3, code: 'INTERNAL' });
  });

  it.each(['', 'not json', '[]', 'null', '{"message": 7}', '<html>'])(
    'stands a 502 with the body %j',
    (text) => {
      expect(readRefusal(502, text)).toMatchObject({ exit: 3, code: 'UNREACHABLE' });
    },
  );

  it('keeps nothing of what AWS quotes of a signed request', () => {
    const message =
      "The request signature does not match.\n\nThe Canonical String was 'POST x-amz-security-token:planted'";
    expect(readRefusal(403, JSON.stringify({ message })).message).not.toContain('planted');
    const flat = { Message: 'No. The Canonical String for this was planted' };
    expect(readRefusal(403, JSON.stringify(flat)).message).not.toContain('planted');
  });
});

describe('chooseMediaType', () => {
  it.each([
    ['a.txt', 'text/plain'],
    ['A.PDF', 'application/pdf'],
    ['a.json', 'application/json'],
    ['a.md', 'text/markdown'],
    ['a', 'application/octet-stream'],
    ['a.unknown-ending', 'application/octet-stream'],
  ])('takes %s for %s', (name, type) => {
    expect(chooseMediaType(name)).toBe(type);
  });
});

describe('values', () => {
  it('are written for people', () => {
    expect([0, 4_240, 59_960, 185_000, 7_620_000].map(formatDuration)).toEqual([
      '0.0 s',
      '4.2 s',
      '1 min 00 s',
      '3 min 05 s',
      '2 h 07 min',
    ]);
    expect([0, 1023, 1024, 25 * 1024 * 1024].map(formatBytes)).toEqual([
      '0 B',
      '1023 B',
      '1.0 KiB',
      '25.0 MiB',
    ]);
    expect(['0', '1', '1500000', 'nonsense'].map(formatMicroUsd)).toEqual([
      '0.00 USD',
      '0.000001 USD',
      '1.50 USD',
      'nonsense',
    ]);
    expect([countWords(1, 'file'), countWords(0, 'file')]).toEqual(['1 file', '0 files']);
  });

  it('tell two sizes apart in bytes where they would read the same', () => {
    expect(formatBytesApart(26_214_401, 26_214_400)).toEqual(['26214401 B', '26214400 B']);
    expect(formatBytesApart(26_314_400, 26_214_400)).toEqual(['25.1 MiB', '25.0 MiB']);
    expect(formatBytesApart(2048, 2048)).toEqual(['2.0 KiB', '2.0 KiB']);
  });

  it('lose every character that can steer a terminal or turn the text round', () => {
    const evil = 'a\u001b[31m\r\nb\u009bc\u202ed\u0007';
    expect(cleanText(evil)).toBe('a [31m b c d ');
    expect(renderTable([{ title: 'X' }], [[evil]])).toBe('X\na [31m b c d');
    expect(cleanText('ä 日本 ✓')).toBe('ä 日本 ✓');
  });

  it('keep the colour that the table itself puts on', () => {
    const cell = { text: 'a\u001b[0m', paint: (text: string) => `<${text}>` };
    expect(renderTable([{ title: 'X' }], [[cell]])).toBe('X\n<a [0m>');
  });
});

describe('groupNodes', () => {
  it('puts what one for_each made on one line, in the order of the run', () => {
    const groups = groupNodes([
      makeNode({ id: 'split', level: 1 }),
      makeNode({ id: 'extract-0001', attempts: 2, cost_micro_usd: '10' }),
      makeNode({ id: 'extract-0002', state: 'FAILED', failure: { reason: 'R', detail: 'd' } }),
      makeNode({
        id: 'extract-0003',
        state: 'SKIPPED',
        executor: null,
        level: null,
        attempts: 0,
        failure: { reason: 'NEED_FAILED', detail: '' },
      }),
    ]);
    expect(groups.map((group) => [group.name, describeCounts(group)])).toEqual([
      ['split', 'accepted'],
      ['extract', '1/3 accepted, 1 failed, 1 skipped'],
    ]);
    expect(groups[1]).toMatchObject({
      attempts: 3,
      costMicroUsd: 3010n,
      executors: ['extract-text'],
      failure: 'extract-0002: R: d',
    });
  });
});

describe('createLiveView', () => {
  function fakeTerminal(rows: number, columns: number) {
    const written: string[] = [];
    const stream = { rows, columns, write: (text: string) => written.push(text) };
    return { written, stream: stream as unknown as NodeJS.WriteStream };
  }

  it('goes up by the rows it drew, wrapped lines and colours counted right', () => {
    const { written, stream } = fakeTerminal(24, 10);
    const view = createLiveView(stream);
    view.draw('12345678901\n\u001b[31m1234567890\u001b[39m\n');
    view.draw('x');
    expect(written[0]).toBe('\r\u001b[J12345678901\n\u001b[31m1234567890\u001b[39m\n\n');
    expect(written[1]).toBe('\u001b[4A\r\u001b[Jx\n');
  });

  it('never draws more than the terminal has rows, and leaves the last picture', () => {
    const { written, stream } = fakeTerminal(4, 80);
    const view = createLiveView(stream);
    view.draw('1\n2\n3\n4\n5');
    view.end();
    view.draw('next');
    expect(written).toEqual(['\r\u001b[J1\n2\n3\n', '\r\u001b[Jnext\n']);
  });
});
