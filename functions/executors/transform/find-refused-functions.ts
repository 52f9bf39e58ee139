/** Functions whose results depend on more than the data, without their `$`. */
export const refusedFunctions: readonly string[] = ['now', 'millis', 'random', 'shuffle', 'eval'];

interface RefusedUse {
  name: string;
  /** Characters from the beginning of the expression, as JSONata counts them. */
  position: number | undefined;
}

type Node = Record<string, unknown>;

/**
 * The first call of, or reference to, each refused function in a tree of JSONata, called by whatever way: a call, `~>`, a
 * partial application and a function that is handed on all name it as a variable. A name that the expression binds itself
 * is its own in the whole of that block or lambda; should it be read before it is bound, the evaluation refuses it.
 */
export function findRefusedFunctions(tree: unknown): RefusedUse[] {
  const found = new Map<string, RefusedUse>();
  const waiting = [{ value: tree, own: listBindings([tree]) }];
  // No recursion: an expression may be nested deeper than this program's stack.
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { value, own } = next;
    if (!isNode(value)) continue;
    const name = readVariable(value);
    if (name !== undefined && refusedFunctions.includes(name) && !own.has(name))
      keepFirst(found, value, name);
    const inner = opensScope(value) ? new Set([...own, ...listBindings(listScope(value))]) : own;
    for (const part of listEvaluated(value)) waiting.push({ value: part, own: inner });
  }
  return [...found.values()].sort((a, b) => (a.position ?? 0) - (b.position ?? 0));
}

function keepFirst(found: Map<string, RefusedUse>, node: Node, name: string): void {
  const position = typeof node['position'] === 'number' ? node['position'] : undefined;
  const before = found.get(name)?.position ?? Infinity;
  if ((position ?? 0) < before) found.set(name, { name, position });
}

/** Names that are bound in these parts, but for those of the blocks and lambdas within. */
function listBindings(parts: readonly unknown[]): Set<string> {
  const names = new Set<string>();
  const waiting = [...parts];
  while (waiting.length > 0) {
    const value = waiting.pop();
    if (!isNode(value)) continue;
    for (const bound of [readBound(value), value['focus'], value['index']])
      if (typeof bound === 'string') names.add(bound);
    if (!opensScope(value)) waiting.push(...Object.values(value));
  }
  return names;
}

function readBound(node: Node): unknown {
  return node['type'] === 'bind' && isNode(node['lhs']) ? node['lhs']['value'] : undefined;
}

function opensScope({ type }: Node): boolean {
  return type === 'block' || type === 'lambda';
}

/** What can bind names for the whole of a block or lambda. */
function listScope(node: Node): unknown[] {
  if (node['type'] === 'block') return [node['expressions']];
  const params = Array.isArray(node['arguments']) ? (node['arguments'] as unknown[]) : [];
  return [node['body'], ...params.map((lhs) => ({ type: 'bind', lhs }))];
}

/** Parts of a node but for the names that it binds. */
function listEvaluated(node: Node): unknown[] {
  const binds = { bind: 'lhs', lambda: 'arguments' }[String(node['type'])];
  return Object.entries(node).flatMap(([key, part]) => (key === binds ? [] : [part]));
}

function readVariable(node: Node): string | undefined {
  return node['type'] === 'variable' && typeof node['value'] === 'string'
    ? node['value']
    : undefined;
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null;
}
