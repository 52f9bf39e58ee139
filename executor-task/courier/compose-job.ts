import { digestCanonical } from '../../schemas/digest.ts';
import type { ClaimAnswer } from '../../schemas/executor-api.ts';
import { assignmentReference } from '../../schemas/executor-request.ts';
import type { Job } from '../exchange/job.ts';
import { AttemptFault } from './attempt-fault.ts';

/** The assignment is not the one that the request binds by its digest, or wants what the request does not allow. */
export class AssignmentRefusedError extends AttemptFault {
  override readonly name = 'AssignmentRefusedError';
}

/** @throws AssignmentRefusedError when the assignment is not the resolved input of that name (E51) */
export function verifyAssignment({ request, assignment }: ClaimAnswer): void {
  const bound = request.resolved_inputs.find((input) => input.reference === assignmentReference);
  if (bound?.content_hash === digestCanonical(assignment)) return;
  throw new AssignmentRefusedError(
    'the assignment does not have the digest that the request names',
  );
}

/** The workbench's job for a claimed attempt. @throws AssignmentRefusedError for a command that is not allowed (E56) */
export function composeJob(claim: ClaimAnswer, files: ReadonlyMap<number, string>): Job {
  const { request, assignment } = claim;
  const refused = assignment.commands.find(
    (command) => !request.command_allowlist.includes(command),
  );
  if (refused !== undefined) {
    throw new AssignmentRefusedError(`command ${refused} is not on the allowlist`);
  }
  return {
    attempt_id: request.attempt_id,
    environment: request.environment_version.split('@')[0] ?? '',
    commands: assignment.commands.map((command) => ({
      command_id: command,
      timeout_seconds: request.timeout_seconds,
      params: assignment.params,
    })),
    inputs: Object.entries(assignment.inputs).map(([name, input]) => ({
      name,
      list: input.list,
      files: input.files.map((file) => ({
        file: files.get(file.index) ?? '',
        filename: file.filename ?? name,
        media_type: file.media_type,
        sha256: request.resolved_inputs[file.index]?.content_hash ?? '',
      })),
    })),
    outputs: Object.entries(assignment.outputs).map(([name, output]) => ({ name, ...output })),
    limits: {},
  };
}
