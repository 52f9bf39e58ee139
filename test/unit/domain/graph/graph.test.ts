import { describe, expect, it } from 'vitest';
import { findCycles } from '../../../../functions/domain/graph/find-cycles.ts';
import { buildGraph } from '../../../../functions/domain/graph/graph.ts';
import { MinHeap } from '../../../../functions/domain/graph/min-heap.ts';
import { orderTopologically } from '../../../../functions/domain/graph/order-topologically.ts';

describe('a graph', () => {
  const nodes = [
    { id: 'c', needs: ['a', 'b', 'a'] },
    { id: 'a', needs: [] },
    { id: 'b', needs: ['a', 'unknown'] },
  ];

  it('E7 holds each edge once, in one order', () => {
    expect(buildGraph(nodes)).toEqual({
      ids: ['a', 'b', 'c'],
      needs: [[], [0], [0, 1]],
      dependents: [[1, 2], [2], []],
    });
    expect(orderTopologically(buildGraph(nodes))).toEqual([0, 1, 2]);
  });

  it('E8 finds a self-edge and the shortest cycle of a knot, and none where there is none', () => {
    expect(findCycles(buildGraph(nodes))).toEqual([]);
    expect(findCycles(buildGraph([{ id: 'a', needs: ['a'] }]))).toEqual([['a']]);
    const knot = [
      { id: 'a', needs: ['c', 'b'] },
      { id: 'b', needs: ['a'] },
      { id: 'c', needs: ['b'] },
    ];
    expect(findCycles(buildGraph(knot))).toEqual([['a', 'b']]);
  });

  it('gives the smallest of a heap first', () => {
    const heap = new MinHeap<number>((left, right) => left - right);
    for (const item of [5, 1, 4, 1, 3, 9, 0]) heap.push(item);
    expect(Array.from({ length: 8 }, () => heap.pop())).toEqual([0, 1, 1, 3, 4, 5, 9, undefined]);
  });
});
