import { fileName } from '../../../schemas/artifact.ts';
import { listChoices } from '../../../schemas/describe-expected.ts';
import type { Fault } from '../../../schemas/problem.ts';
import { listDeliverables, type WrittenDeliverable } from './list-deliverables.ts';
import { makeFault, type PathStep } from '../../../schemas/make-fault.ts';
import { nameDeliverables, nameItems } from './name-deliverables.ts';
import { parseBindingSource } from './parse-binding-source.ts';
import type { PlanContext } from './plan-context.ts';

/** UNKNOWN_NODE, UNKNOWN_OUTPUT, DELIVERABLE_NOT_OUTPUT, BAD_FILENAME, DUPLICATE_DELIVERABLE_NAME. */
export function checkDeliverables(context: PlanContext): Fault[] {
  const written = listDeliverables(context);
  return [
    ...checkSources(context),
    ...checkOutputNames(context),
    ...written.flatMap(({ path, filename }) =>
      filename === null || path[0] !== 'deliverables' ? [] : checkFilename(path, filename),
    ),
    ...written.flatMap((deliverable) => checkLastName(context, deliverable)),
    ...nameDeliverables(context, written).clashes.map(({ deliverable, filename }) =>
      makeFault(deliverable.path, filename, {
        code: 'DUPLICATE_DELIVERABLE_NAME',
        message: `two deliverables are called "${filename}"`,
        fix: 'Write another filename for one of them.',
      }),
    ),
  ];
}

function checkSources(context: PlanContext): Fault[] {
  return (context.read.deliverables ?? []).flatMap(({ from }, index) => {
    const path = ['deliverables', index, 'from'];
    const source = parseBindingSource(from);
    if (source.kind !== 'output' || source.item) return [notAnOutput(path, from)];
    const producer = context.read.byId.get(source.node);
    if (producer === undefined) {
      return [
        makeFault(path, from, {
          code: 'UNKNOWN_NODE',
          message: `there is no node "${source.node}"`,
          fix: `Write NODE.OUTPUT with a node of this plan${context.suggest(source.node, context.read.byId.keys())}`,
        }),
      ];
    }
    if (producer.node === undefined || Object.hasOwn(producer.node.gives, source.output)) return [];
    const outputs = Object.keys(producer.node.gives);
    return [
      makeFault(path, from, {
        code: 'UNKNOWN_OUTPUT',
        message: `node "${source.node}" gives no "${source.output}"`,
        fix: `Write ${listChoices(outputs.map((output) => `${source.node}.${output}`))}${context.suggest(source.output, outputs)}`,
      }),
    ];
  });
}

function checkOutputNames(context: PlanContext): Fault[] {
  return context.nodes.flatMap(({ index, node }) =>
    Object.entries(node.gives).flatMap(([output, written]) =>
      typeof written === 'string' || written.filename === undefined
        ? []
        : checkFilename(['nodes', index, 'gives', output, 'filename'], written.filename),
    ),
  );
}

/** The number of an item makes a name longer, the last one no less than any. */
function checkLastName(context: PlanContext, deliverable: WrittenDeliverable): Fault[] {
  const { filename, path, producer } = deliverable;
  if (filename === null || producer.node.for_each === undefined) return [];
  if (checkFilename(path, filename).length > 0) return [];
  const last = nameItems(context, deliverable, filename).at(-1);
  return last === undefined ? [] : checkFilename(path, last);
}

function checkFilename(path: readonly PathStep[], filename: string): Fault[] {
  const parsed = fileName.safeParse(filename);
  if (parsed.success) return [];
  return [
    makeFault(path, filename, {
      code: 'BAD_FILENAME',
      message: `the name ${parsed.error.issues.map((issue) => issue.message).join(', ')}`,
      fix: 'Write a plain file name, such as "report.html".',
    }),
  ];
}

function notAnOutput(path: readonly PathStep[], from: string): Fault {
  return makeFault(path, from, {
    code: 'DELIVERABLE_NOT_OUTPUT',
    message: 'a deliverable is an output of a node',
    fix: 'Write NODE.OUTPUT; of a node with for_each all items are delivered.',
  });
}
