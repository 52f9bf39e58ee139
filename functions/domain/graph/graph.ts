/** What a graph is made from; `needs` are the nodes that come first. */
export interface GraphNode {
  id: string;
  needs: readonly string[];
}

/**
 * Nodes by number, in the order of their ids, so that every traversal is the same whatever order they came in (E7).
 * Edge lists are sorted and hold each neighbour once.
 */
export interface Graph {
  readonly ids: readonly string[];
  readonly needs: readonly (readonly number[])[];
  readonly dependents: readonly (readonly number[])[];
}

/** Needs that name no node are left out. Of two nodes with one id the edges are joined. */
export function buildGraph(nodes: readonly GraphNode[]): Graph {
  const ids = [...new Set(nodes.map((node) => node.id))].sort();
  const index = new Map(ids.map((id, place) => [id, place]));
  const needs: Set<number>[] = ids.map(() => new Set<number>());
  for (const node of nodes) {
    const own = needs[index.get(node.id) ?? -1];
    for (const need of node.needs) {
      const place = index.get(need);
      if (place !== undefined) own?.add(place);
    }
  }
  const dependents: number[][] = ids.map(() => []);
  for (const [place, own] of needs.entries()) {
    for (const need of own) dependents[need]?.push(place);
  }
  return { ids, needs: needs.map((own) => [...own].sort((a, b) => a - b)), dependents };
}
