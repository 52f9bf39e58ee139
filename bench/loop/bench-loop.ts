import { composeChainPlan, composeWidePlan } from './compose-plans.ts';
import { prepareMap } from './measure-map.ts';
import { measureRun } from './measure-run.ts';
import { openBenchStack } from './open-bench-stack.ts';

const wideNodes = 1_000;
const chainNodes = 50;
const warmNodes = 500;
const parallelism = 16;

/**
 * A wide run against a bare Step Functions Map over a Lambda that writes its result to the table: both warm, on one
 * emulator, in one run. And what a node costs in transitions and write units, wide and in a chain. Prints JSON.
 */
const bench = await openBenchStack();
try {
  const runMap = await prepareMap(bench, parallelism);
  await runMap(warmNodes);
  await measureRun(bench, composeWidePlan(warmNodes, parallelism), warmNodes);
  const mapBefore = await runMap(wideNodes);
  const wide = await measureRun(bench, composeWidePlan(wideNodes, parallelism), wideNodes);
  const mapAfter = await runMap(wideNodes);
  const chain = await measureRun(bench, composeChainPlan(chainNodes), chainNodes);
  const mapSeconds = (mapBefore + mapAfter) / 2;
  const figures = {
    parallelism,
    bareMap: {
      nodes: wideNodes,
      wallSeconds: mapSeconds,
      millisecondsANode: (mapSeconds * 1000) / wideNodes,
    },
    wide: { ...wide, timesTheBareMap: Math.round((wide.wallSeconds / mapSeconds) * 100) / 100 },
    chain,
  };
  console.log(JSON.stringify(figures));
  const isWithin =
    figures.wide.timesTheBareMap <= 3 &&
    wide.transitionsANode <= 2.5 &&
    chain.transitionsANode <= 4.5 &&
    wide.writeUnitsANode <= 8 &&
    chain.writeUnitsANode <= 14;
  process.exitCode = isWithin ? 0 : 1;
} finally {
  await bench.close();
}
