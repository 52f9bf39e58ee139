import type { PlanNodeDocument } from '../../../schemas/plan.ts';
import { parseBindingSource, parseForEachInput } from './parse-binding-source.ts';
import type { PlanContext } from './plan-context.ts';
import { readOutput } from './read-output.ts';

/** What a binding brings, as far as the plan and the files of the run tell before anything has run. */
export interface BoundSource {
  isList: boolean;
  mediaTypes: string[];
  /** How one file of the list can be taken instead, as the beginning of a sentence. */
  single?: string;
}

/** Undefined when the binding names nothing that is there; other checks say so. */
export function describeSource(
  context: PlanContext,
  node: PlanNodeDocument,
  text: string,
): BoundSource | undefined {
  const source = parseBindingSource(text);
  switch (source.kind) {
    case 'item': {
      const input = parseForEachInput(node.for_each ?? []);
      if (input === undefined) return undefined;
      return { isList: false, mediaTypes: listMediaTypes(context, input) };
    }
    case 'input': {
      const declared = context.read.inputs ?? {};
      const input = Object.hasOwn(declared, source.input) ? declared[source.input] : undefined;
      if (input === undefined) return undefined;
      return {
        isList: input.kind === 'files',
        mediaTypes: listMediaTypes(context, source.input),
        single: `Give the node for_each: inputs.${source.input} and take item`,
      };
    }
    case 'output': {
      const producer = context.read.byId.get(source.node)?.node;
      const written =
        producer !== undefined && Object.hasOwn(producer.gives, source.output)
          ? producer.gives[source.output]
          : undefined;
      if (producer === undefined || written === undefined) return undefined;
      return {
        isList: producer.for_each !== undefined && !source.item,
        mediaTypes: [readOutput(written).mediaType],
        single: `Give the node the same for_each and take ${source.node}[item].${source.output}, or merge the list first`,
      };
    }
  }
}

function listMediaTypes(context: PlanContext, input: string): string[] {
  return [...new Set((context.files.get(input) ?? []).map(({ mediaType }) => mediaType))];
}
