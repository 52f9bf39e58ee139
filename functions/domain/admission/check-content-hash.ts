import type { CheckVerdict } from '../../../schemas/attempt-outcome.ts';
import { parseOutputReference } from '../../../schemas/executor-response.ts';
import type { ParsedFacts } from './admission-facts.ts';
import { judgeResponse } from './render-verdict.ts';

/**
 * What the response and the record say of an output's bytes is what the controller measured from them (E16, E40, E65). A
 * courier's outputs are always read again for it. A function is controller code: the digest is of the bytes in its hand,
 * S3 verified it on the put, and the key that ends in it is written once.
 */
export function checkContentHash(facts: ParsedFacts): CheckVerdict {
  return judgeResponse('CONTENT_HASH', facts, (response) => {
    const faults: string[] = [];
    for (const recorded of facts.record.outputs) {
      const stored = facts.stored[recorded.output];
      if (stored === undefined) {
        faults.push(`no bytes are stored for output ${recorded.output}`);
        continue;
      }
      if (stored.sha256 !== recorded.sha256 || stored.size !== recorded.size) {
        faults.push(`the stored bytes of output ${recorded.output} are not those of the record`);
      }
      const isOther = recorded.version_id !== null && stored.versionId !== recorded.version_id;
      if (stored.key !== recorded.key || isOther) {
        faults.push(`output ${recorded.output} was measured in another place than recorded`);
      }
    }
    for (const artefact of response.artefacts) {
      const name = parseOutputReference(artefact.reference);
      const stored = name === undefined ? undefined : facts.stored[name];
      if (stored?.sha256 !== artefact.content_hash) {
        faults.push(`content_hash of ${name ?? 'an artefact'} is not that of the stored bytes`);
      }
    }
    return faults;
  });
}
