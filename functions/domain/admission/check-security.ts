import type { CheckVerdict } from '../../../schemas/attempt-outcome.ts';
import { fileName } from '../../../schemas/artifact.ts';
import type { ParsedFacts } from './admission-facts.ts';
import { findForbiddenContent } from './find-forbidden-content.ts';
import { findSecrets } from './find-secrets.ts';
import { judgeResponse } from './render-verdict.ts';

/**
 * Nothing in it is oversized, escapes, runs by itself or holds a secret (E36). The policy: at most the contract's
 * `max_bytes` an output; no script, handler, frame, refresh or script address in HTML, XHTML and SVG; no access key and
 * no private key in text outputs and in the response.
 */
export function checkSecurity(facts: ParsedFacts): CheckVerdict {
  return judgeResponse('SECURITY', facts, (response) => {
    const faults = findSecrets(JSON.stringify(response)).map(
      (name) => `the response holds ${name}`,
    );
    for (const [name, output] of Object.entries(facts.prepared.assignment.outputs)) {
      const stored = facts.stored[name];
      if (stored === undefined) continue;
      if (stored.size > output.max_bytes) {
        faults.push(
          `output ${name} has ${String(stored.size)} bytes; at most ${String(output.max_bytes)} are taken`,
        );
      }
      const found =
        stored.text === null
          ? (stored.findings ?? [])
          : findForbiddenContent(output.media_type, stored.text);
      faults.push(...found.map((kind) => `output ${name} holds ${kind}`));
    }
    for (const [name, { filename }] of Object.entries(facts.node.gives)) {
      if (filename !== null && !fileName.safeParse(filename).success) {
        faults.push(`the file name of output ${name} is not safe`);
      }
    }
    return faults;
  });
}
