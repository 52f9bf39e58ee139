import { renderCanonical } from '../../../schemas/digest.ts';
import type { FunctionAnswer } from '../../../schemas/function-answer.ts';
import { limits } from '../../../schemas/limits.ts';
import type { DocumentStore } from '../../ports/artifact-store.ts';
import type { FunctionReturn } from './compose-function-return.ts';

/** The return itself while it fits in a workflow's state, else its digests (p42). */
export async function storeFunctionReturn(
  documents: DocumentStore,
  returned: FunctionReturn,
): Promise<FunctionAnswer> {
  const { response, record } = returned;
  if (Buffer.byteLength(renderCanonical({ response, record })) <= limits.inlineReturnBytes) {
    return { kind: 'RETURNED', response, record };
  }
  return {
    kind: 'STORED',
    responseSha256: await documents.put('responses', renderCanonical(response)),
    recordSha256: await documents.put('records', renderCanonical(record)),
  };
}
