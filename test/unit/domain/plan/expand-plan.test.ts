import { describe, expect, it } from 'vitest';
import {
  digestPlan,
  encodePlan,
  expandedPlan,
  type ExpandedPlan,
} from '../../../../schemas/expanded-plan.ts';
import { composeDocument, composeFile, composeNode, pinned, submit } from './compose-submission.ts';

const node = composeNode;
const inputs = { docs: [composeFile('b.txt'), composeFile('a.txt')], one: composeFile('one.txt') };
const declared = { inputs: { docs: { kind: 'files' }, one: { kind: 'file' } } };

function admit(nodes: unknown, extra: Record<string, unknown> = {}): ExpandedPlan {
  const admission = submit(composeDocument(nodes, { ...declared, ...extra }), { inputs });
  if (admission.kind === 'REFUSED') throw new Error(JSON.stringify(admission.faults));
  return admission.plan;
}

describe('an expanded plan', () => {
  const plan = admit([
    node('extract', {
      for_each: 'inputs.docs',
      takes: { doc: 'item', all: 'inputs.docs', one: 'inputs.one' },
    }),
    node('clean', { for_each: 'inputs.docs', takes: { text: 'extract[item].out' } }),
    node('join', { takes: { texts: 'clean.out' }, after: ['extract'] }),
    node('say', { for_each: ['x', { y: 1 }], params: { tone: 'dry' } }),
  ]);
  const find = (id: string) => plan.nodes.find((entry) => entry.id === id);

  it('E7 has one node an item, in the order of the items', () => {
    expect(plan.nodes.map((entry) => entry.id)).toEqual([
      'extract-0001',
      'extract-0002',
      'clean-0001',
      'clean-0002',
      'join',
      'say-0001',
      'say-0002',
    ]);
    expect(find('extract-0002')?.takes['doc']).toEqual({
      kind: 'input',
      artifacts: [inputs.docs[1]],
      list: false,
    });
    expect(find('extract-0001')?.takes['all']).toEqual({
      kind: 'input',
      artifacts: inputs.docs,
      list: true,
    });
    expect(find('extract-0001')?.takes['one']).toEqual({
      kind: 'input',
      artifacts: [inputs.one],
      list: false,
    });
    expect(find('extract-0001')?.title).toBe('extract (b.txt)');
    expect(find('say-0002')?.params).toEqual({ tone: 'dry', item: { y: 1 } });
  });

  it('binds an item to the same item, and all items as a list', () => {
    expect(find('clean-0002')?.takes['text']).toEqual({
      kind: 'output',
      nodes: ['extract-0002'],
      output: 'out',
      list: false,
    });
    expect(find('join')?.takes['texts']).toEqual({
      kind: 'output',
      nodes: ['clean-0001', 'clean-0002'],
      output: 'out',
      list: true,
    });
    expect(find('join')?.needs).toEqual([
      'clean-0001',
      'clean-0002',
      'extract-0001',
      'extract-0002',
    ]);
  });

  it('delivers what no node takes, unless the plan says what', () => {
    expect(plan.deliverables.map((entry) => entry.filename)).toEqual([
      'join-out.json',
      'say-0001-out.json',
      'say-0002-out.json',
    ]);
    const said = admit(
      [
        node('a', { for_each: [1, 2] }),
        node('b', { gives: { out: { media_type: 'text/html', filename: 'page.html' } } }),
      ],
      { deliverables: [{ from: 'a.out', filename: 'part.json' }, { from: 'b.out' }] },
    );
    expect(said.deliverables).toEqual([
      { node: 'a-0001', output: 'out', filename: 'part-0001.json' },
      { node: 'a-0002', output: 'out', filename: 'part-0002.json' },
      { node: 'b', output: 'out', filename: 'page.html' },
    ]);
  });

  it('gives way with a name of its own to one of the plan', () => {
    const both = admit([
      node('a'),
      node('b', { gives: { x: { media_type: 'text/plain', filename: 'A-out.json' } } }),
    ]);
    expect(both.deliverables.map((entry) => entry.filename)).toEqual([
      'a-out-2.json',
      'A-out.json',
    ]);
  });

  it('E6 E57 pins executors and prices, and its digest depends on nothing else', () => {
    expect(Object.keys(plan.executors)).toEqual(['transform']);
    expect(plan.prices['transform']).toEqual(pinned.prices.prices['transform']);
    expect(expandedPlan.parse(encodePlan(plan))).toEqual(plan);
    expect(digestPlan(admit([node('a')]))).toBe(digestPlan(admit([node('a')])));
    expect(digestPlan(admit([node('a')]))).not.toBe(digestPlan(admit([node('b')])));
  });

  it('keeps names of Object.prototype apart from inherited members', () => {
    const odd = admit([
      node('constructor', { gives: { constructor: 'application/json' } }),
      node('b', { takes: { constructor: 'constructor.constructor' } }),
    ]);
    expect(odd.nodes[1]?.needs).toEqual(['constructor']);
    expect(odd.deliverables).toEqual([{ node: 'b', output: 'out', filename: 'b-out.json' }]);
  });
});
