import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findCycles } from '../../functions/domain/graph/find-cycles.ts';
import { buildGraph, type GraphNode } from '../../functions/domain/graph/graph.ts';
import { measureCriticalPaths } from '../../functions/domain/graph/measure-critical-paths.ts';
import { orderForDispatch } from '../../functions/domain/graph/order-for-dispatch.ts';
import { orderTopologically } from '../../functions/domain/graph/order-topologically.ts';
import { propertyParameters } from './property-parameters.ts';
import { RandomSource } from './random-source.ts';

/** Any directed graph, cycles included. */
const graphs: fc.Arbitrary<GraphNode[]> = fc
  .record({
    count: fc.integer({ min: 1, max: 40 }),
    seed: fc.nat(),
    edges: fc.integer({ min: 0, max: 90 }),
  })
  .map(({ count, seed, edges }) => {
    const random = new RandomSource(seed);
    const nodes = Array.from({ length: count }, (_, index) => ({
      id: `n${String(index)}`,
      needs: [] as string[],
    }));
    for (let edge = 0; edge < edges; edge += 1) {
      nodes[random.below(count)]?.needs.push(`n${String(random.below(count))}`);
    }
    return nodes;
  });

describe('a graph', () => {
  it('E7 is traversed in one order whatever order its nodes come in', () => {
    fc.assert(
      fc.property(graphs, fc.nat(), (nodes, seed) => {
        const shuffled = new RandomSource(seed).shuffle(nodes);
        expect(buildGraph(shuffled)).toEqual(buildGraph(nodes));
        const weigh = (node: GraphNode) => ({ ...node, priority: 0, timeoutSeconds: 1 });
        expect(orderForDispatch(shuffled.map(weigh))).toEqual(orderForDispatch(nodes.map(weigh)));
      }),
      propertyParameters(300),
    );
  });

  it('E8 has a cycle exactly when some node can reach itself, and the cycle is one', () => {
    fc.assert(
      fc.property(graphs, (nodes) => {
        const graph = buildGraph(nodes);
        const cycles = findCycles(graph);
        expect(cycles.length > 0).toBe(nodes.some((node) => reaches(nodes, node.id, node.id)));
        for (const cycle of cycles) {
          for (const [place, id] of cycle.entries()) {
            const next = cycle[(place + 1) % cycle.length] ?? '';
            expect(nodes.find((node) => node.id === next)?.needs).toContain(id);
          }
        }
        expect(orderTopologically(graph).length === graph.ids.length).toBe(cycles.length === 0);
      }),
      propertyParameters(300),
    );
  });

  it('E11 measures the same critical path as trying every way', () => {
    fc.assert(
      fc.property(graphs, (nodes) => {
        const graph = buildGraph(nodes);
        fc.pre(findCycles(graph).length === 0);
        const weights = graph.ids.map((_, index) => 1 + (index % 7));
        const longest = (node: number): number =>
          (weights[node] ?? 0) + Math.max(0, ...(graph.dependents[node] ?? []).map(longest));
        expect(measureCriticalPaths(graph, weights)).toEqual(
          graph.ids.map((_, node) => longest(node)),
        );
      }),
      propertyParameters(100),
    );
  });
});

/** Whether work flows from one node to the other over at least one edge. */
function reaches(nodes: readonly GraphNode[], from: string, to: string): boolean {
  const seen = new Set<string>();
  const open = [from];
  for (let id = open.pop(); id !== undefined; id = open.pop()) {
    for (const node of nodes) {
      if (!node.needs.includes(id)) continue;
      if (node.id === to) return true;
      if (seen.has(node.id)) continue;
      seen.add(node.id);
      open.push(node.id);
    }
  }
  return false;
}
