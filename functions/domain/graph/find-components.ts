import type { Graph } from './graph.ts';

/**
 * The strongly connected components, each sorted: nodes that all reach each other. Tarjan's algorithm with a stack of
 * its own, because a chain of ten thousand nodes would overflow the call stack.
 */
export function findComponents(graph: Graph): number[][] {
  const search = new ComponentSearch(graph);
  for (let root = 0; root < graph.ids.length; root += 1) search.visit(root);
  return search.components;
}

class ComponentSearch {
  readonly components: number[][] = [];
  readonly #graph: Graph;
  readonly #order: Int32Array;
  readonly #low: Int32Array;
  readonly #open: Uint8Array;
  readonly #stack: number[] = [];
  readonly #path: { node: number; next: number }[] = [];
  #clock = 0;

  constructor(graph: Graph) {
    this.#graph = graph;
    this.#order = new Int32Array(graph.ids.length);
    this.#low = new Int32Array(graph.ids.length);
    this.#open = new Uint8Array(graph.ids.length);
  }

  visit(root: number): void {
    if (this.#order[root] !== 0) return;
    this.#enter(root);
    for (let top = this.#path.at(-1); top !== undefined; top = this.#path.at(-1)) {
      const neighbour = this.#graph.dependents[top.node]?.[top.next];
      top.next += 1;
      if (neighbour === undefined) this.#leave(top.node);
      else if (this.#order[neighbour] === 0) this.#enter(neighbour);
      else if (this.#open[neighbour] === 1) this.#lower(top.node, this.#order[neighbour] ?? 0);
    }
  }

  #enter(node: number): void {
    this.#clock += 1;
    this.#order[node] = this.#clock;
    this.#low[node] = this.#clock;
    this.#open[node] = 1;
    this.#stack.push(node);
    this.#path.push({ node, next: 0 });
  }

  #leave(node: number): void {
    this.#path.pop();
    const parent = this.#path.at(-1);
    if (parent !== undefined) this.#lower(parent.node, this.#low[node] ?? 0);
    if (this.#low[node] !== this.#order[node]) return;
    const component = this.#stack.splice(this.#stack.lastIndexOf(node));
    for (const member of component) this.#open[member] = 0;
    this.components.push(component.sort((a, b) => a - b));
  }

  #lower(node: number, value: number): void {
    if (value < (this.#low[node] ?? 0)) this.#low[node] = value;
  }
}
