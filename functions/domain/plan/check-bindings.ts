import { listChoices } from '../../../schemas/describe-expected.ts';
import { renderCanonical } from '../../../schemas/digest.ts';
import type { Fault } from '../../../schemas/problem.ts';
import { makeFault, type PathStep } from '../../../schemas/make-fault.ts';
import { parseBindingSource, parseForEachInput } from './parse-binding-source.ts';
import type { LinkedNode, PlanContext } from './plan-context.ts';

/** A place that names a node, an output or an input. */
interface Reference {
  consumer: LinkedNode;
  path: PathStep[];
  text: string;
}

/** UNKNOWN_NODE, UNKNOWN_OUTPUT, UNKNOWN_INPUT, SELF_EDGE, ITEM_OUTSIDE_FOR_EACH, ITEM_MISMATCH, FOR_EACH_NOT_FILES. */
export function checkBindings(context: PlanContext): Fault[] {
  const faults: Fault[] = [];
  for (const consumer of context.linked) {
    faults.push(...checkForEach(context, consumer));
    for (const [name, text] of Object.entries(consumer.parts.takes ?? {})) {
      const path = ['nodes', consumer.index, 'takes', name];
      for (const fault of checkSource(context, { consumer, path, text })) faults.push(fault);
    }
    for (const [place, text] of (consumer.parts.after ?? []).entries()) {
      const path = ['nodes', consumer.index, 'after', place];
      faults.push(...checkNodeName(context, { consumer, path, text }, text));
    }
  }
  return faults;
}

function checkForEach(context: PlanContext, consumer: LinkedNode): Fault[] {
  const forEach = consumer.parts.for_each;
  const input = forEach === undefined ? undefined : parseForEachInput(forEach);
  if (input === undefined) return [];
  const path = ['nodes', consumer.index, 'for_each'];
  const unknown = checkInputName(context, { consumer, path, text: `inputs.${input}` }, input);
  const declared = context.read.inputs;
  if (unknown.length > 0 || declared === undefined || declared[input]?.kind === 'files') {
    return unknown;
  }
  return [
    makeFault(path, forEach, {
      code: 'FOR_EACH_NOT_FILES',
      message: `the run input "${input}" is one file`,
      fix: `Write inputs: { ${input}: { kind: files } }, or take it without for_each.`,
    }),
  ];
}

function checkSource(context: PlanContext, reference: Reference): Fault[] {
  const source = parseBindingSource(reference.text);
  const { for_each: forEach } = reference.consumer.parts;
  switch (source.kind) {
    case 'item':
      return typeof forEach === 'string' ? [] : [itemOutside(reference, forEach !== undefined)];
    case 'input':
      return checkInputName(context, reference, source.input);
    case 'output': {
      const faults = checkNodeName(context, reference, source.node);
      if (faults.length > 0) return faults;
      const producer = context.read.byId.get(source.node)?.parts;
      const unknown =
        producer?.gives === undefined || Object.hasOwn(producer.gives, source.output)
          ? []
          : [unknownOutput(context, reference, source)];
      if (!source.item) return unknown;
      if (forEach === undefined) return [...unknown, itemOutside(reference, false)];
      const same = isSameForEach(forEach, producer?.for_each);
      return same ? unknown : [...unknown, itemMismatch(reference, source.node)];
    }
  }
}

function checkNodeName(context: PlanContext, reference: Reference, name: string): Fault[] {
  if (name === reference.consumer.id) {
    return [
      makeFault(reference.path, reference.text, {
        code: 'SELF_EDGE',
        message: `node "${name}" waits for itself`,
        fix: 'Write another node, or remove the line.',
      }),
    ];
  }
  if (context.read.byId.has(name)) return [];
  return [
    makeFault(reference.path, reference.text, {
      code: 'UNKNOWN_NODE',
      message: `there is no node "${name}"`,
      fix: `Write the id of a node of this plan${context.suggest(name, context.read.byId.keys())}`,
    }),
  ];
}

function checkInputName(context: PlanContext, reference: Reference, name: string): Fault[] {
  const declared = context.read.inputs;
  if (declared === undefined || Object.hasOwn(declared, name)) return [];
  return [
    makeFault(reference.path, reference.text, {
      code: 'UNKNOWN_INPUT',
      message: `the plan declares no input "${name}"`,
      fix: `Write one that is declared, or declare it: inputs: { ${name}: { kind: file } }${context.suggest(name, Object.keys(declared))}`,
    }),
  ];
}

function isSameForEach(
  left: string | readonly unknown[],
  right: string | readonly unknown[] | undefined,
): boolean {
  if (right === undefined || typeof left !== typeof right) return false;
  return left === right || renderCanonical(left) === renderCanonical(right);
}

function unknownOutput(
  context: PlanContext,
  reference: Reference,
  source: { node: string; output: string },
): Fault {
  const outputs = Object.keys(context.read.byId.get(source.node)?.parts.gives ?? {});
  return makeFault(reference.path, reference.text, {
    code: 'UNKNOWN_OUTPUT',
    message: `node "${source.node}" gives no "${source.output}"`,
    fix: `Write ${listChoices(outputs.map((output) => `${source.node}.${output}`))}${context.suggest(source.output, outputs)}`,
  });
}

function itemOutside(reference: Reference, overList: boolean): Fault {
  return makeFault(reference.path, reference.text, {
    code: 'ITEM_OUTSIDE_FOR_EACH',
    message: overList
      ? 'the items of this for_each are values, not files'
      : 'the node has no for_each, so there is no item',
    fix: overList
      ? 'Remove the line, and use the item in params.'
      : 'Give the node a for_each, or write inputs.NAME or NODE.OUTPUT.',
  });
}

function itemMismatch(reference: Reference, producer: string): Fault {
  return makeFault(reference.path, reference.text, {
    code: 'ITEM_MISMATCH',
    message: `"${producer}" does not go over the same for_each as this node`,
    fix: `Give both the same for_each, or write ${reference.text.replace('[item]', '')} to take all items.`,
  });
}
