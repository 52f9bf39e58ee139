import type { ExpandedPlan } from '../../../schemas/expanded-plan.ts';
import { findFileExtension } from './file-extension.ts';
import type { WrittenDeliverable } from './list-deliverables.ts';
import { nameExpandedNode } from './name-expanded-node.ts';
import { countItems, type PlanContext } from './plan-context.ts';

type Deliverable = ExpandedPlan['deliverables'][number];

/** A name that the plan gives twice. Letter case does not tell files apart: some file systems ignore it. */
export interface NameClash {
  deliverable: WrittenDeliverable;
  filename: string;
}

/**
 * Names every file of the run's result: as the plan says, else `node-output.ext` after the media type. A name that stands
 * for the files of a `for_each` gets the item's number. A name of our own making gives way to one of the plan's.
 */
export function nameDeliverables(
  context: PlanContext,
  written: readonly WrittenDeliverable[],
): { deliverables: Deliverable[]; clashes: NameClash[] } {
  const taken = new Set<string>();
  const clashes: NameClash[] = [];
  const names = new Map<WrittenDeliverable, string[]>();
  for (const deliverable of written) {
    if (deliverable.filename === null) continue;
    const given = nameItems(context, deliverable, deliverable.filename);
    names.set(deliverable, given);
    for (const filename of given) {
      if (taken.has(fold(filename))) clashes.push({ deliverable, filename });
      taken.add(fold(filename));
    }
  }
  const deliverables = written.flatMap((deliverable) =>
    listNodes(context, deliverable).map((node, item) => {
      const filename = names.get(deliverable)?.[item] ?? nameFreely(deliverable, node, taken);
      return { node, output: deliverable.output, filename };
    }),
  );
  return { deliverables, clashes };
}

/** The names of the files that one written name stands for. */
export function nameItems(
  context: PlanContext,
  deliverable: WrittenDeliverable,
  filename: string,
): string[] {
  const { node } = deliverable.producer;
  if (node.for_each === undefined) return [filename];
  const dot = filename.lastIndexOf('.');
  const stem = dot > 0 ? filename.slice(0, dot) : filename;
  const extension = dot > 0 ? filename.slice(dot) : '';
  return Array.from(
    { length: countItems(context, node) },
    (_, item) => `${nameExpandedNode(stem, item + 1)}${extension}`,
  );
}

function nameFreely(deliverable: WrittenDeliverable, node: string, taken: Set<string>): string {
  const stem = `${node}-${deliverable.output}`;
  const extension = findFileExtension(deliverable.mediaType);
  let filename = `${stem}.${extension}`;
  for (let count = 2; taken.has(fold(filename)); count += 1) {
    filename = `${stem}-${String(count)}.${extension}`;
  }
  taken.add(fold(filename));
  return filename;
}

/** The ids of the nodes that one written node becomes, in the order of the items. */
export function listNodes(
  context: PlanContext,
  { producer }: Pick<WrittenDeliverable, 'producer'>,
): string[] {
  if (producer.node.for_each === undefined) return [producer.id];
  return Array.from({ length: countItems(context, producer.node) }, (_, item) =>
    nameExpandedNode(producer.id, item + 1),
  );
}

function fold(filename: string): string {
  return filename.normalize('NFC').toLowerCase();
}
