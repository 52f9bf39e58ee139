import { describe, expect, it } from 'vitest';
import { renderStatus } from '../../../cli/local/render-status.ts';
import { nameProgram } from '../../../cli/output/name-program.ts';
import { renderTable } from '../../../cli/output/table.ts';

describe('renderTable', () => {
  const columns = [
    { title: 'NODE' },
    { title: 'STATE' },
    { title: 'COST', align: 'right' as const },
  ];
  const rows = [
    ['a-node-with-a-long-name-of-forty-letters-x', '12/400 accepted, 3 active', '0.01 USD'],
  ];

  it('cuts the widest columns so that no line is wider than asked', () => {
    for (const width of [30, 60, 80]) {
      const lines = renderTable(columns, rows, width).split('\n');
      expect(lines).toHaveLength(2);
      expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(width);
    }
    expect(renderTable(columns, rows, 60)).toContain('…');
    expect(renderTable(columns, rows, 60)).toContain('0.01 USD');
  });

  it('cuts nothing that fits, and nothing without a width', () => {
    expect(renderTable(columns, rows, 200)).toBe(renderTable(columns, rows));
    expect(renderTable(columns, rows)).not.toContain('…');
  });
});

describe('nameProgram', () => {
  const text =
    'run `windlass local up`, windlass task list, or npx windlass doctor; windlass: no windlass is up';

  it('names the command as npx found it, and as it is otherwise', () => {
    expect(nameProgram(text, { npm_lifecycle_event: 'npx' })).toBe(
      'run `npx windlass local up`, npx windlass task list, or npx windlass doctor; windlass: no windlass is up',
    );
    expect(nameProgram(text, { npm_lifecycle_event: 'test' })).toBe(text);
  });
});

describe('renderStatus', () => {
  it('shows what people need by hand, and none of the other outputs', () => {
    const outputs = { 'windlass-control': { ApiUrl: 'https://127.0.0.1:1/v1/', SweepRule: 'arn' } };
    const status = { name: 'x', emulator: 'up', fargate: 'up', deployed: true, outputs };
    const shown = renderStatus(status) ?? '';
    expect(shown).toMatch(/^API: +https:\/\/127\.0\.0\.1:1\/v1\/$/m);
    expect(shown).not.toContain('SweepRule');
    expect(renderStatus({ name: 'x' })).toBeUndefined();
  });
});
