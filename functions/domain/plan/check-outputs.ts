import { makeFault } from '../../../schemas/make-fault.ts';
import type { Fault } from '../../../schemas/problem.ts';
import type { Executor, ExecutorSignature } from '../../../schemas/registry.ts';
import type { PlanContext, WellFormedNode } from './plan-context.ts';
import { readOutputs } from './read-output.ts';

/** UNKNOWN_OUTPUT_PORT, OUTPUT_MEDIA_TYPE, MISSING_OUTPUT, TOO_MANY_OUTPUTS. */
export function checkOutputs(
  context: PlanContext,
  { index, node }: WellFormedNode,
  { executor, signature }: { executor: Executor; signature: ExecutorSignature | undefined },
): Fault[] {
  const path = ['nodes', index, 'gives'];
  const faults = checkOutputCount({ path, node, signature });
  for (const [name, { mediaType }] of Object.entries(readOutputs(node))) {
    const ports = signature?.outputs.names === 'FIXED' ? signature.outputs.ports : undefined;
    const port = ports !== undefined && Object.hasOwn(ports, name) ? ports[name] : undefined;
    if (ports !== undefined && port === undefined) {
      const known = Object.keys(ports);
      faults.push(
        makeFault([...path, name], name, {
          code: 'UNKNOWN_OUTPUT_PORT',
          message: `"${node.operation}" gives no "${name}"`,
          fix: `Call it ${known.map((output) => `"${output}"`).join(' or ')}, or remove it${context.suggest(name, known)}`,
        }),
      );
      continue;
    }
    const allowed = port === undefined ? executor.outputMediaTypes : [port];
    if (allowed.includes(mediaType)) continue;
    faults.push(
      makeFault([...path, name], mediaType, {
        code: 'OUTPUT_MEDIA_TYPE',
        message: `"${node.operation}" does not give "${name}" as ${mediaType}`,
        fix: `Write ${name}: ${allowed.join(' or ')}.`,
      }),
    );
  }
  return faults;
}

function checkOutputCount({
  path,
  node,
  signature,
}: {
  path: (string | number)[];
  node: WellFormedNode['node'];
  signature: ExecutorSignature | undefined;
}): Fault[] {
  const names = Object.keys(node.gives);
  if (signature === undefined) return [];
  const isFree = signature.outputs.names === 'FREE';
  if (names.length === 0) {
    const ports = signature.outputs.names === 'FIXED' ? Object.keys(signature.outputs.ports) : [];
    return [
      makeFault(path, node.gives, {
        code: 'MISSING_OUTPUT',
        message: 'the node gives nothing',
        fix: `Write gives: { ${ports[0] ?? 'result'}: … } with the media type of what it makes.`,
      }),
    ];
  }
  if (!isFree || names.length === 1) return [];
  return [
    makeFault(path, names, {
      code: 'TOO_MANY_OUTPUTS',
      message: `"${node.operation}" gives exactly one output, and the node names ${String(names.length)}`,
      fix: 'Keep one of them, and make a node for each of the others.',
    }),
  ];
}
