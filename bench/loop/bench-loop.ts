import { limits } from '../../schemas/limits.ts';
import { composeChainPlan, composeWidePlan } from './compose-plans.ts';
import { prepareMap } from './measure-map.ts';
import { measureRun } from './measure-run.ts';
import { openBenchStack } from './open-bench-stack.ts';

const wideNodes = 1_000;
const chainNodes = 50;
const warmNodes = 1_000;
const parallelism = limits.runParallelism;

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
  const outside = listOutside({
    timesTheBareMap: [figures.wide.timesTheBareMap, 3],
    wideTransitions: [wide.transitionsANode, 2.5],
    chainTransitions: [chain.transitionsANode, 4.5],
    wideWriteUnits: [wide.writeUnitsANode, 8],
    chainWriteUnits: [chain.writeUnitsANode, 14],
  });
  console.log(JSON.stringify({ ...figures, outside }));
  process.exitCode = outside.length === 0 ? 0 : 1;
} finally {
  await bench.close();
}

/** Names of the figures that are above what they are held to. */
function listOutside(figures: Record<string, readonly [measured: number, most: number]>): string[] {
  return Object.entries(figures).flatMap(([name, [measured, most]]) =>
    measured > most ? [name] : [],
  );
}
