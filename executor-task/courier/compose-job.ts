import { digestCanonical } from '../../schemas/digest.ts';
import type { ClaimAnswer } from '../../schemas/executor-api.ts';
import { assignmentReference } from '../../schemas/executor-request.ts';
import type { Job } from '../exchange/job.ts';

/** The assignment is not the one that the request binds by its digest. */
export class AssignmentChangedError extends Error {
  override readonly name = 'AssignmentChangedError';
}

/** The workbench's job for a claimed attempt. @throws AssignmentChangedError */
export function composeJob(claim: ClaimAnswer, files: ReadonlyMap<number, string>): Job {
  const { request, assignment } = claim;
  const bound = request.resolved_inputs.find((input) => input.reference === assignmentReference);
  if (bound?.content_hash !== digestCanonical(assignment)) {
    throw new AssignmentChangedError(
      'the assignment does not have the digest that the request names',
    );
  }
  const refused = assignment.commands.find(
    (command) => !request.command_allowlist.includes(command),
  );
  if (refused !== undefined)
    throw new AssignmentChangedError(`command ${refused} is not on the allowlist`);
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
