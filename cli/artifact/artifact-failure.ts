/**
 * Every way in which an artifact command fails, with the one text that says what to do (A19 to A43, A78). The texts are
 * constant: nothing of the input, the environment or the adapter's output is in them.
 */
export const artifactHints = {
  worker_runtime_unset:
    'name the adapter: give --worker-runtime, or set WINDLASS_WORKER_RUNTIME or HERMES_HELMET_WORKER_RUNTIME',
  artifact_ref_malformed:
    'give a reference as `windlass artifact list` prints it: kanban-artifact:v1:BOARD:TASK:ATTACHMENT_ID:SHA256',
  artifact_board_mismatch: 'it belongs to another board than the one that was asked for',
  artifact_task_mismatch: 'it belongs to another task than the one that was asked for',
  artifact_not_found:
    'there is no such board, task or attachment; `windlass task list BOARD` names the tasks, `windlass artifact list BOARD TASK` what hangs on one',
  artifact_revision_mismatch:
    'the attachment no longer has the checksum of the reference; list the task for the revision it has now',
  artifact_integrity_failed:
    'the bytes differ from the declared size or SHA-256 and nothing of them was kept; try again, then ask the operator of the store',
  artifact_checksum_missing:
    'the adapter listed an attachment without a SHA-256; it has to hash the stored bytes',
  artifact_too_large: 'a file may have at most 25 MiB (26214400 bytes)',
  artifact_source_invalid: 'PATH must be an existing, readable regular file',
  artifact_name_invalid:
    'rename the file: at most 255 bytes, no separators or control characters, no dot or dash in front',
  artifact_name_reserved:
    'names ending in .preview.png or .extracted.txt are for companions: give --role and --original, or rename the file',
  artifact_media_type_invalid: 'give --media-type as type/subtype, such as application/pdf',
  artifact_role_invalid: 'the roles are original, preview and extracted-text',
  artifact_original_required: 'a preview or an extracted text needs --original REFERENCE',
  artifact_original_invalid:
    '--original must be the current reference of an original of the same task',
  artifact_companion_exists: 'the original has this companion already',
  artifact_metadata_mismatch:
    'the adapter did not preserve the name, media type, size or checksum; the attachment it made is not the file that was sent',
  artifact_destination_invalid:
    'DEST must name a plain file in a writable folder with room, reached without symlinks, on a file system with hard links',
  artifact_destination_exists:
    'DEST exists and was left as it is; choose another, or give --overwrite',
  artifact_transport_unavailable: 'the adapter cannot be run; check --worker-runtime and PATH',
  artifact_transport_timeout:
    'the adapter did not end in time and was stopped; --timeout gives it longer',
  artifact_transport_failed:
    'the adapter failed; see that its store is up and lets you in, or run it by hand for its own words: RUNTIME artifact-list BOARD TASK --json',
  artifact_transport_invalid:
    'the adapter broke its contract; `windlass artifact check-adapter RUNTIME --board BOARD --task TASK` shows where',
} as const;

export type ArtifactCode = keyof typeof artifactHints;

/** Ends an artifact command with one of the closed codes. Its message is the line that the command prints. */
export class ArtifactFailure extends Error {
  override readonly name = 'ArtifactFailure';
  readonly code: ArtifactCode;

  constructor(code: ArtifactCode, cause?: unknown) {
    super(renderFailureLine(code), { cause });
    this.code = code;
  }
}

/** `err:CODE: hint`, without an end of line. */
export function renderFailureLine(code: ArtifactCode): string {
  return `err:${code}: ${artifactHints[code]}`;
}
