import type { PlanNodeDocument } from '../../../schemas/plan.ts';
import { makeFault, type PathStep } from '../../../schemas/make-fault.ts';
import type { Fault } from '../../../schemas/problem.ts';
import type { ExecutorSignature, InputPort } from '../../../schemas/registry.ts';
import { describeSource, type BoundSource } from './describe-source.ts';
import { matchMediaType } from './match-media-type.ts';
import type { PlanContext, WellFormedNode } from './plan-context.ts';

type Inputs = ExecutorSignature['inputs'];

/** UNKNOWN_INPUT_PORT, MISSING_INPUT_PORT, TOO_MANY_INPUTS, INPUT_IS_LIST, INPUT_NOT_LIST, INPUT_PORT_MEDIA_TYPE. */
export function checkInputs(
  context: PlanContext,
  { index, node }: WellFormedNode,
  inputs: Inputs,
): Fault[] {
  const path = ['nodes', index, 'takes'];
  const faults = checkCount(path, node, inputs);
  for (const [name, text] of Object.entries(node.takes ?? {})) {
    const port = findPort(inputs, name);
    if (port === undefined) faults.push(unknownPort(context, [...path, name], name, inputs));
    else
      faults.push(...checkBound([...path, name], text, port, describeSource(context, node, text)));
  }
  return faults;
}

function findPort(inputs: Inputs, name: string): InputPort | undefined {
  if (inputs.names === 'FREE') return inputs.port;
  return Object.hasOwn(inputs.ports, name) ? inputs.ports[name] : undefined;
}

function checkCount(path: readonly PathStep[], node: PlanNodeDocument, inputs: Inputs): Fault[] {
  const taken = Object.keys(node.takes ?? {});
  if (inputs.names === 'FREE') {
    if (taken.length < inputs.least) {
      return [
        makeFault(path, node.takes, {
          code: 'MISSING_INPUT_PORT',
          message: `"${node.operation}" needs an input, and the node takes none`,
          fix: `Write takes: { ${nameFreely(inputs.port)}: … } with what it works on.`,
        }),
      ];
    }
    if (inputs.most === null || taken.length <= inputs.most) return [];
    return [
      makeFault(path, taken, {
        code: 'TOO_MANY_INPUTS',
        message: `"${node.operation}" takes ${describeMost(inputs.most)}, and the node takes ${String(taken.length)}`,
        fix: 'Take one here, and make a node for each of the others (for_each does it for many files).',
      }),
    ];
  }
  return Object.entries(inputs.ports).flatMap(([name, port]) =>
    !port.required || taken.includes(name)
      ? []
      : [
          makeFault([...path, name], undefined, {
            code: 'MISSING_INPUT_PORT',
            message: `"${node.operation}" needs the input "${name}", and the node does not take it`,
            fix: `Write takes: { ${name}: … } with what it works on.`,
          }),
        ],
  );
}

function checkBound(
  path: readonly PathStep[],
  text: string,
  port: InputPort,
  source: BoundSource | undefined,
): Fault[] {
  if (source === undefined) return [];
  const name = String(path.at(-1));
  if (source.isList && port.takes === 'ONE') {
    return [
      makeFault(path, text, {
        code: 'INPUT_IS_LIST',
        message: `the input "${name}" takes one file, and ${text} is a list`,
        fix: `${source.single ?? 'Merge the list into one file first'}.`,
      }),
    ];
  }
  if (!source.isList && port.takes === 'LIST') {
    return [
      makeFault(path, text, {
        code: 'INPUT_NOT_LIST',
        message: `the input "${name}" takes a list, and ${text} is one file`,
        fix: 'Take the output of a node with for_each, or a run input of kind files.',
      }),
    ];
  }
  const wrong = source.mediaTypes.find((type) => !matchMediaType(type, port.mediaTypes));
  if (wrong === undefined) return [];
  return [
    makeFault(path, text, {
      code: 'INPUT_PORT_MEDIA_TYPE',
      message: `the input "${name}" cannot be ${wrong}, which ${text} is`,
      fix: `Take something of type ${port.mediaTypes.join(' or ')}.`,
    }),
  ];
}

function unknownPort(
  context: PlanContext,
  path: readonly PathStep[],
  name: string,
  inputs: Inputs,
): Fault {
  const known = inputs.names === 'FIXED' ? Object.keys(inputs.ports) : [];
  return makeFault(path, name, {
    code: 'UNKNOWN_INPUT_PORT',
    message: `there is no input "${name}" of this operation`,
    fix: `Call it ${known.map((port) => `"${port}"`).join(' or ')}, or remove it${context.suggest(name, known)}`,
  });
}

function nameFreely(port: InputPort): string {
  return port.takes === 'ONE' ? 'document' : 'data';
}

function describeMost(most: number): string {
  return most === 1 ? 'one input' : `at most ${String(most)} inputs`;
}
