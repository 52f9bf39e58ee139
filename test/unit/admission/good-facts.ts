import type { StoredResponse } from '../../../schemas/executor-response.ts';
import { digestBytes } from '../../../schemas/digest.ts';
import type { ExecutorKind } from '../../../schemas/registry.ts';
import { digestToken, mintToken } from '../../../functions/domain/attempt/mint-token.ts';
import type { AdmissionFacts } from '../../../functions/domain/admission/admission-facts.ts';
import {
  composePlan,
  composePrepared,
  composeRecord,
  composeResponse,
  outputBytes,
} from '../attempt/attempt-fixture.ts';

export const times = {
  startedAt: '2026-01-05T09:00:12.000Z',
  finishedAt: '2026-01-05T09:00:50.000Z',
};
const runKey = Buffer.alloc(32, 7);

/** Facts that differ from what admission reads only in that the response is known to be well formed. */
export interface GoodFacts extends AdmissionFacts {
  response: StoredResponse;
}

/** Everything about an attempt that succeeds. */
export function composeGoodFacts(kind: ExecutorKind = 'fargate'): GoodFacts {
  const prepared = composePrepared(runKey, { kind });
  const token = mintToken(runKey, 'attempt', prepared.attemptId);
  const { attempt_token: wireToken, ...response } = composeResponse(prepared, times, token);
  const record = composeRecord(prepared, times, {});
  const plan = composePlan();
  return {
    prepared,
    node: plan.nodes[0]!,
    executor: plan.executors[prepared.executor],
    response: {
      ...response,
      attempt_token_sha256: kind === 'fargate' ? digestToken(wireToken) : null,
    },
    record,
    stored: Object.fromEntries(
      record.outputs.map(({ output, key, version_id: versionId, sha256, size }) => [
        output,
        {
          key,
          versionId: versionId ?? 'v1',
          sha256,
          size,
          text: outputBytes[output]!.toString('utf8'),
        },
      ]),
    ),
    acceptance: [],
    claimedAt: kind === 'fargate' ? '2026-01-05T09:00:10.000Z' : null,
    returnedAt: '2026-01-05T09:01:00.000Z',
    now: '2026-01-05T09:01:02.000Z',
    stopped: false,
    fenced: false,
    policyVersionInForce: 1,
  };
}

/** The facts with the bytes of one output replaced everywhere, so that only what is in them can be at fault. */
export function withOutputText(facts: GoodFacts, name: string, text: string): GoodFacts {
  const changed = structuredClone(facts);
  const sha256 = digestBytes(text);
  const size = Buffer.byteLength(text);
  const recorded = changed.record.outputs.find(({ output }) => output === name)!;
  const key = recorded.key.replace(/[0-9a-f]{64}$/, sha256);
  Object.assign(recorded, { key, sha256, size });
  Object.assign(changed.stored[name]!, { key, sha256, size, text });
  const artefact = changed.response.artefacts.find(({ reference }) => reference.endsWith(name))!;
  artefact.content_hash = sha256;
  return changed;
}
