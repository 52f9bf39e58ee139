import type { Artifact } from '../../../schemas/artifact.ts';
import type { Assignment, StoredRequest } from '../../../schemas/executor-request.ts';
import type { Binding } from '../../../schemas/expanded-plan.ts';
import { BrokenLogError, findNode } from './find-in-run.ts';
import type { NodeState, RunState } from './run-state.ts';

export interface ResolvedInputs {
  resolved: StoredRequest['resolved_inputs'];
  inputs: Assignment['inputs'];
}

/** Every input of a ready node as exact version and digest (E9, E51), by input name, lists in the order of their items. */
export function resolveInputs(state: RunState, node: NodeState): ResolvedInputs {
  const resolved: ResolvedInputs['resolved'] = [];
  const inputs: ResolvedInputs['inputs'] = {};
  for (const name of Object.keys(node.plan.takes).sort()) {
    const binding = node.plan.takes[name];
    if (binding === undefined) continue;
    const files = resolveBinding(state, binding).map((artifact) => {
      resolved.push({
        reference: artifact.key,
        version: artifact.versionId,
        content_hash: artifact.sha256,
      });
      return {
        index: resolved.length - 1,
        filename: artifact.filename,
        media_type: artifact.mediaType,
        size: artifact.size,
      };
    });
    inputs[name] = { list: binding.list, files };
  }
  return { resolved, inputs };
}

function resolveBinding(state: RunState, binding: Binding): Artifact[] {
  switch (binding.kind) {
    case 'input':
      return binding.artifacts;
    case 'output':
      return binding.nodes.map((nodeId) => findOutput(state, nodeId, binding.output));
  }
}

function findOutput(state: RunState, nodeId: string, output: string): Artifact {
  const accepted = state.attempts.get(findNode(state, nodeId).acceptedAttempt ?? '');
  const artifact =
    accepted !== undefined && Object.hasOwn(accepted.outputs, output)
      ? accepted.outputs[output]
      : undefined;
  if (artifact === undefined) {
    throw new BrokenLogError(`node ${nodeId} of run ${state.runId} has no accepted ${output}`);
  }
  return artifact;
}
