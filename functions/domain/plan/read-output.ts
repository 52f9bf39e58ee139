import { limits } from '../../../schemas/limits.ts';
import type { PlanNodeDocument } from '../../../schemas/plan.ts';

export interface OutputContract {
  mediaType: string;
  maxBytes: number;
  filename: string | null;
}

/** An output as the plan gives it: a media type alone, or with what else is said of it. */
export function readOutput(written: PlanNodeDocument['gives'][string]): OutputContract {
  if (typeof written === 'string') {
    return { mediaType: written, maxBytes: limits.outputBytes, filename: null };
  }
  return {
    mediaType: written.media_type,
    maxBytes: written.max_bytes ?? limits.outputBytes,
    filename: written.filename ?? null,
  };
}

/** Every output of a node by name. */
export function readOutputs(node: PlanNodeDocument): Record<string, OutputContract> {
  return Object.fromEntries(
    Object.entries(node.gives).map(([name, written]) => [name, readOutput(written)]),
  );
}
