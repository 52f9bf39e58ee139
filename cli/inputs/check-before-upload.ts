import type { RunInputs } from '../../schemas/public-api.ts';
import { CommandFailure } from '../command-failure.ts';
import { describeInputs } from './describe-inputs.ts';
import { findStoredInputs, type UploadInputs } from './upload-inputs.ts';

/**
 * Has the plan checked before files of it are stored: for a refused plan nothing is stored. A key that is repeated may
 * have started a run before its plan came to be refused, as by a deployment; then all files are stored already, and the
 * start itself shall decide (p3).
 * @returns the files as a start names them in that one case; undefined when they are to be uploaded
 * @throws CommandFailure with the refusal that a start would have had
 */
export async function checkBeforeUpload(
  upload: UploadInputs,
  { planText, isKeyGiven }: { planText: string; isKeyGiven: boolean },
): Promise<RunInputs | undefined> {
  const { connection, board, found, lists } = upload;
  if (!found.some(({ kind }) => kind === 'FILE')) return undefined;
  const body = { plan: planText, inputs: describeInputs(found, lists) };
  try {
    await connection.api.checkPlan(board, body);
    return undefined;
  } catch (error) {
    const stored = isRefusal(error) && isKeyGiven ? await findStoredInputs(upload) : undefined;
    if (stored === undefined) throw error;
    return stored;
  }
}

function isRefusal(error: unknown): boolean {
  return error instanceof CommandFailure && error.code === 'PLAN_REFUSED';
}
