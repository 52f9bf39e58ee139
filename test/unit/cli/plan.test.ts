import { describe, expect, it } from 'vitest';
import { runWindlass } from '../../support/stand-in-api/run-windlass.ts';

const good = `windlass: 1
name: digest
budget: { COMPUTE_COST: 0.50 USD, ATTEMPTS: 10, WALL_SECONDS: 600 }
nodes:
  - id: extract
    operation: extract-text
    gives: { text: application/json }
`;
const check = (input: string, ...words: string[]) =>
  runWindlass(['plan', 'check', '-', ...words], { input });

describe('plan check', () => {
  it('takes a plan of the right form, and says what it did not look at', async () => {
    const ran = await check(good);
    expect(ran.code).toBe(0);
    expect(ran.stdout).toBe('digest: the form is right, 1 node as written\n');
    expect(ran.stderr).toContain('when it is submitted');
  });

  it('names all faults at once, each with path, value and fix', async () => {
    const bad = good
      .replace('0.50 USD', 'free')
      .replace('ATTEMPTS: 10', 'ATTEMPTS: 0')
      .replace('operation: extract-text', 'operation: extract-text\n    pripority: 3')
      .replace('id: extract', 'id: Extract Me')
      .replace('application/json', '7');
    const ran = await check(bad);
    expect(ran.code).toBe(1);
    expect(ran.stdout).toBe('');
    expect(ran.stderr).toContain(
      '/budget/COMPUTE_COST: COMPUTE_COST is not in the form that it needs (was: "free") → Write a sum such as "0.50 USD"',
    );
    expect(ran.stderr).toContain(
      '/budget/ATTEMPTS: ATTEMPTS is too small (was: 0) → Write a whole number from 1 to 1000000.',
    );
    expect(ran.stderr).toContain(
      '/nodes/0/pripority: node "Extract Me": there is no field "pripority" here (was: 3)',
    );
    expect(ran.stderr).toContain('/nodes/0/id: ');
    expect(ran.stderr).toContain('/nodes/0/gives/text: ');
  });

  it('refuses a plan without a budget', async () => {
    const ran = await check(good.replace(/^budget.*\n/m, ''), '--json');
    expect(ran.code).toBe(1);
    expect(JSON.parse(ran.stdout)).toMatchObject({
      error: {
        code: 'PLAN_REFUSED',
        problem: { faults: [{ path: '/budget', code: 'NO_BUDGET' }] },
      },
    });
  });

  it('refuses a document that grows without bound from a small text', async () => {
    const levels = 'abcdefghij'.split('');
    const bomb = levels.map((name, index) => {
      const inner = index === 0 ? 'x' : `*${levels[index - 1] ?? ''}`;
      return `${name}: &${name} [${Array(10).fill(inner).join(', ')}]`;
    });
    const ran = await check(bomb.join('\n'));
    expect(ran.code).toBe(1);
  });

  it('needs no API and no credentials', async () => {
    expect((await check(good, '--json')).code).toBe(0);
  });
});

describe('plan schema', () => {
  it('prints a JSON Schema that describes the fields of a plan', async () => {
    const ran = await runWindlass(['plan', 'schema']);
    const schema = JSON.parse(ran.stdout) as { required: string[]; properties: object };
    expect(ran.code).toBe(0);
    expect(schema.required).toEqual(expect.arrayContaining(['windlass', 'budget', 'nodes']));
    expect(Object.keys(schema.properties)).toContain('deliverables');
  });
});

describe('a text that is no YAML', () => {
  it('is refused with line, column and what was expected, in one line', async () => {
    const ran = await check(`${good}   operation: twice\n`);
    expect(ran.code).toBe(1);
    const [said, fault, ...more] = ran.stderr.trimEnd().split('\n');
    expect(said).toBe('windlass: The plan on standard input has 1 fault; nothing was sent.');
    expect(fault).toMatch(/line 8, column 4: .* \(was: "operation: twice"\) → Correct line 8/);
    expect(more).toEqual([]);
  });
});
