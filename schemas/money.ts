import { z } from 'zod';

/** What a budget limits in this version: micro-USD, tries, and seconds of attempts' wall time. */
export const budgetDimension = z.enum(['COMPUTE_COST', 'ATTEMPTS', 'WALL_SECONDS']);
export type BudgetDimension = z.infer<typeof budgetDimension>;
export const budgetDimensions: readonly BudgetDimension[] = budgetDimension.options;

/** A non-negative integer amount as a decimal string on the wire and a bigint inside. */
export const amount = z.codec(
  z.string().regex(/^(0|[1-9][0-9]{0,17})$/),
  z.bigint().nonnegative(),
  {
    decode: (text) => BigInt(text),
    encode: (value) => value.toString(),
  },
);

/** One amount a dimension. */
export const amounts = z.strictObject({
  COMPUTE_COST: amount,
  ATTEMPTS: amount,
  WALL_SECONDS: amount,
});
export type Amounts = Record<BudgetDimension, bigint>;

export const noAmounts: Amounts = { COMPUTE_COST: 0n, ATTEMPTS: 0n, WALL_SECONDS: 0n };

export function addAmounts(left: Amounts, right: Amounts): Amounts {
  return combine(left, right, (a, b) => a + b);
}

export function subtractAmounts(left: Amounts, right: Amounts): Amounts {
  return combine(left, right, (a, b) => a - b);
}

/** `0.50 USD` as micro-USD; undefined when the text is no such sum. */
export function parseUsd(text: string): bigint | undefined {
  const match = /^(0|[1-9][0-9]{0,8})(?:\.([0-9]{1,6}))? USD$/.exec(text);
  if (match === null) return undefined;
  return BigInt(match[1] ?? '0') * 1_000_000n + BigInt((match[2] ?? '').padEnd(6, '0'));
}

/** Micro-USD as `0.50 USD`, with at least two and at most six decimals. */
export function renderUsd(microUsd: bigint): string {
  const fraction = (microUsd % 1_000_000n)
    .toString()
    .padStart(6, '0')
    .replace(/0{1,4}$/, '');
  return `${(microUsd / 1_000_000n).toString()}.${fraction} USD`;
}

/** An amount as the plan writes it: a sum, a count of attempts, or seconds. */
export function renderAmount(dimension: BudgetDimension, value: bigint): string {
  switch (dimension) {
    case 'COMPUTE_COST':
      return renderUsd(value);
    case 'ATTEMPTS':
    case 'WALL_SECONDS':
      return value.toString();
  }
}

function combine(left: Amounts, right: Amounts, apply: (a: bigint, b: bigint) => bigint): Amounts {
  return {
    COMPUTE_COST: apply(left.COMPUTE_COST, right.COMPUTE_COST),
    ATTEMPTS: apply(left.ATTEMPTS, right.ATTEMPTS),
    WALL_SECONDS: apply(left.WALL_SECONDS, right.WALL_SECONDS),
  };
}
