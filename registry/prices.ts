import type { ExecutorPrice, PriceTable } from '../schemas/registry.ts';

/**
 * Lambda, x86: 16.6667 micro-USD for each GB-second, 0.2 micro-USD for each request (rounded up). The functions run with
 * 1,769 MB: 1769 / 1024 × 16.6667 × 3600.
 */
const lambdaPrice: ExecutorPrice = { perStartMicroUsd: 1n, perHourMicroUsd: 103_653n };

/**
 * Fargate, Linux on x86: 40,480 micro-USD for each vCPU-hour, 4,445 for each GB-hour. A task has 1 vCPU and 4 GB:
 * 40,480 + 4 × 4,445.
 */
const fargatePrice: ExecutorPrice = { perStartMicroUsd: 0n, perHourMicroUsd: 58_260n };

/** What an attempt of each executor costs. An executor that is not listed is refused when a plan is submitted. */
export const prices: PriceTable = {
  version: 1,
  source:
    'List prices of AWS Lambda (https://aws.amazon.com/lambda/pricing/) and AWS Fargate (https://aws.amazon.com/fargate/pricing/), us-east-1',
  prices: {
    transform: lambdaPrice,
    validate: lambdaPrice,
    'extract-text': lambdaPrice,
    merge: lambdaPrice,
    'term-index': fargatePrice,
    'render-digest': fargatePrice,
  },
};
