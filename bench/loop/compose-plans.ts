const header = {
  windlass: 1,
  budget: { COMPUTE_COST: '1000 USD', ATTEMPTS: 100_000, WALL_SECONDS: 10_000_000 },
};
const gives = { value: 'application/json' };

/** `count` independent level-1 nodes, as one `for_each` over a list. */
export function composeWidePlan(count: number, parallelism: number): unknown {
  return {
    ...header,
    name: `wide-${String(count)}`,
    policy: { parallelism },
    nodes: [
      {
        id: 'square',
        operation: 'transform',
        for_each: Array.from({ length: count }, (_, index) => index),
        gives,
        params: { expression: '{"square": params.item * params.item}' },
      },
    ],
  };
}

/** `count` level-1 nodes, each taking what the one before gave. */
export function composeChainPlan(count: number): unknown {
  const link = (index: number) => ({
    id: `link-${String(index)}`,
    operation: 'transform',
    ...(index === 0 ? {} : { takes: { before: `link-${String(index - 1)}.value` } }),
    gives,
    params: { expression: index === 0 ? '{"n": 0}' : '{"n": inputs.before.n + 1}' },
  });
  return {
    ...header,
    name: `chain-${String(count)}`,
    nodes: Array.from({ length: count }, (_, index) => link(index)),
  };
}
