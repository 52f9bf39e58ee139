import { describe, expect, it } from 'vitest';
import { limits } from '../../../schemas/limits.ts';
import { parsePlanText } from '../../../schemas/parse-plan-text.ts';

function listFaults(text: string) {
  const parsed = parsePlanText(text);
  return parsed.kind === 'REFUSED' ? parsed.faults : [];
}

/** `levels` aliases, each of which repeats the one before it nine times. */
function composeBomb(levels: number): string {
  const lines = ['a0: &a0 [x, x, x, x, x, x, x, x, x]'];
  for (let level = 1; level <= levels; level += 1) {
    const alias = `*a${String(level - 1)}`;
    lines.push(`a${String(level)}: &a${String(level)} [${Array(9).fill(alias).join(', ')}]`);
  }
  return lines.join('\n');
}

describe('parsePlanText', () => {
  it('reads YAML and JSON alike', () => {
    const expected = { kind: 'PARSED', document: { name: 'x', nodes: [{ id: 'a' }] } };
    expect(parsePlanText('name: x\nnodes:\n  - id: a\n')).toEqual(expected);
    expect(parsePlanText('{"name": "x", "nodes": [{"id": "a"}]}')).toEqual(expected);
  });

  it('keeps to YAML 1.2: no dates, no merge keys, "no" is a word', () => {
    expect(parsePlanText('a: 2026-01-01\nb: no\n<<: {c: 1}')).toEqual({
      kind: 'PARSED',
      document: { a: '2026-01-01', b: 'no', '<<': { c: 1 } },
    });
  });

  it.each([
    ['a: 1\n---\nb: 2', 'line 2, column 1: a second document begins; a plan is one'],
    ['- '.repeat(20_000), 'lists and objects lie too deep in each other'],
  ])('says in words for its writer what is wrong with %j', (text, message) => {
    expect(listFaults(text)[0]?.message).toContain(message);
  });

  it.each(['1e400', '-1e400', '+1e999999999', '9'.repeat(400), '9'.repeat(400) + '.5'])(
    'E16 refuses the number %s, which would be read as a text',
    (number) => {
      for (const text of [`a: [1, ${number}]`, `{"a": ${number}}`, `- ${number}`]) {
        expect(listFaults(text)).toMatchObject([
          { message: expect.stringContaining('too large') as string },
        ]);
      }
      expect(listFaults(`a: "${number}"\nb: ${number} of them\nc: 1e308`)).toEqual([]);
    },
  );

  it.each([
    ...['9007199254740993', '12345678901234567890', '017', '0x1F', '0o17', '1.0', '1e3', '+1'],
    ...['.nan', '-.inf', '~', 'True', 'NULL', '-0'],
  ])('E16 refuses the key %s, which would become another one', (key) => {
    for (const text of [`${key}: 1`, `a: {${key}: 1}`, `? ${key}\n: 1`]) {
      const [fault] = listFaults(text);
      expect(fault?.message).toContain('would be read as another text');
    }
    expect(parsePlanText(`"${key}": 1`)).toEqual({ kind: 'PARSED', document: { [key]: 1 } });
  });

  it.each(['17', '-1', '1.5', '0', 'true', 'null', 'no', '1_000', '2026-01-01', '1.2.3', 'x1'])(
    'takes the key %s as it is written',
    (key) => {
      expect(parsePlanText(`a: {${key}: 1}`)).toEqual({
        kind: 'PARSED',
        document: { a: { [key]: 1 } },
      });
    },
  );

  it('lets a plan repeat itself by a few aliases', () => {
    expect(parsePlanText('a: &x [1]\nb: *x')).toEqual({
      kind: 'PARSED',
      document: { a: [1], b: [1] },
    });
  });

  it.each([
    ['a duplicate key', 'a: 1\nb: 2\na: 3', 3],
    ['a list that does not end', 'a: 1\nb: [1, 2', 2],
    ['a tab that indents', 'a:\n\t- b', 2],
    ['a second document', 'a: 1\n---\nb: 2', 2],
    ['an alias of nothing', 'a: 1\nb: *nothing', 2],
  ])('names the line of %s', (_name, text, line) => {
    const [fault] = listFaults(text);
    expect(fault).toMatchObject({ path: '', code: 'NOT_YAML' });
    const told = `${fault?.message ?? ''} ${fault?.fix ?? ''}`;
    if (told.includes('line')) expect(fault?.fix).toContain(`line ${String(line)}`);
    expect(fault?.value.length).toBeLessThanOrEqual(200);
  });

  it('refuses a file that is no UTF-8, where it shows, and takes the character when it is meant', () => {
    const text = Buffer.from('name: x\nlabel: Böe', 'latin1').toString('utf8');
    expect(listFaults(text)).toMatchObject([
      { code: 'NOT_YAML', message: 'line 2, column 9: the bytes here are no UTF-8' },
    ]);
    expect(listFaults('name: x\nlabel: Böe')).toEqual([]);
    expect(parsePlanText('a: "\\ufffd"')).toEqual({ kind: 'PARSED', document: { a: '\ufffd' } });
  });

  it('names every line that is wrong', () => {
    expect(listFaults('a: 1\na: 2\nb: 1\nb: 2').map(({ fix }) => fix)).toEqual([
      'Correct line 2 or the one before it, or write the plan as JSON.',
      'Correct line 4 or the one before it, or write the plan as JSON.',
    ]);
  });

  it.each([
    ['aliases that repeat what repeats', composeBomb(9), 'OVER_LIMIT'],
    ['too many aliases', `a: &x 1\nb: [${Array(101).fill('*x').join(', ')}]`, 'NOT_YAML'],
    ['an alias within the list that it repeats', 'a: &x [*x]', 'OVER_LIMIT'],
    ['an alias within the map that it repeats', '&x\na: {b: *x}', 'OVER_LIMIT'],
    ['too many values', `[${'{},'.repeat(limits.documentValues)}]`, 'OVER_LIMIT'],
  ])('refuses %s, at once', (_what, text, code) => {
    const [fault] = listFaults(text);
    expect(fault).toMatchObject({ code });
  });

  it('takes a key for repeated in its own map only, however it is written', () => {
    expect(listFaults('a: {x: 1}\nb: {x: 1}\nc: [{x: 1}, {x: 2}]\nd: x')).toEqual([]);
    expect(listFaults('{"x": 1, y: [2, {x: 3}], \'x\': 4}')).toHaveLength(1);
  });

  it.each([
    ['lists', '['.repeat(100_000)],
    ['objects', '{"a":'.repeat(100_000)],
    [
      'indented objects',
      Array.from({ length: 3_000 }, (_, depth) => `${' '.repeat(depth)}a:`).join('\n'),
    ],
  ])('refuses %s that lie too deep in each other, without breaking', (_name, text) => {
    expect(listFaults(text)[0]).toMatchObject({ code: 'NOT_YAML' });
  });

  it('p5 names twenty thousand repeated keys without a search through all of them for each', () => {
    expect(listFaults('a: 1\n'.repeat(20_000))).toHaveLength(19_999);
  });

  it('takes brackets inside of texts for texts', () => {
    const text = '['.repeat(100);
    const document = `a: "${text}"\nb: '${text}'\nc: |\n  ${text}\n# ${text}\nd: x${text}`;
    expect(parsePlanText(document)).toEqual({
      kind: 'PARSED',
      document: { a: text, b: text, c: `${text}\n`, d: `x${text}` },
    });
  });

  it('gives nothing for nothing: a plan is asked for afterwards', () => {
    expect(parsePlanText('')).toEqual({ kind: 'PARSED', document: null });
  });
});
