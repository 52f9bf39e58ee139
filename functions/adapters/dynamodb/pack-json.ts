import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { PermanentError } from '../../ports/errors.ts';

/**
 * Text that packed values are likely to hold, the likeliest last. Stored items can only be read with the dictionary they
 * were written with: never change this one; add another under the next version.
 */
const firstDictionary = Buffer.from(
  [
    '"DELEGATED_SCOPE","REFERENTIAL_INTEGRITY","PRODUCER_AUTHORITY","REQUIRED_EVIDENCE","CONTENT_HASH"',
    '"NOT_THIS_ACTION","NOT_THESE_OUTPUTS","EXCLUDED_BY_CONTRACT","UNVERIFIED","UNPRICED","OVER_NODE_BUDGET"',
    '{"type":"RUN_STARTED","at":"2026-","board":"","planSha256":"","startedBy":"arn:aws:iam::',
    '{"type":"RUN_ENDED","status":"SUCCEEDED","detail":""}{"type":"RUN_CANCEL_REQUESTED","by":"","cause":"',
    '{"type":"RESPONSE_REJECTED","code":"LATE","responseSha256":"',
    '{"type":"NODE_FAILED","reason":"ATTEMPTS_USED_UP"},{"type":"NODE_SKIPPED","cause":"NEED_FAILED"}',
    '{"type":"NODE_RETRY_SCHEDULED","notBefore":"',
    '"claimedAt":"20","returnedAt":"20","reason":"START_FAILED","EXECUTOR_REPORTED","VALIDATION_FAILED"',
    '"text/plain","text/html","text/csv","text/markdown","application/json","application/pdf"',
    '"openxmlformats-officedocument.wordprocessingml.document"',
    '"base_commit":null,"worktree_id":null,"command_allowlist":[],"environment_version":"functions@',
    '"owned_scope":{"include":[],"exclude":[".git/**",".orchestrator/**","hidden-tests/**"]}',
    '"attempt_token_sha256":null,"cancellation_token_sha256":null,"node_contract_version":1',
    '"budget_commitment":{"dimension":"COMPUTE_COST","hard_limit":"0"},"output_schema_version":1,"policy_version":1',
    '"timeout_seconds":60,"resolved_inputs":[{"reference":"uploads/","version":"","content_hash":"',
    '"reference":"assignment","version":"1","content_hash":"',
    '"action_type":"EXECUTE","action_id":"","node_id":"',
    '"assignment":{"operation":"","executor":"","executor_version":"1.0.0","commands":[],"params":{},"inputs":{"',
    '":{"list":false,"files":[{"index":0,"filename":null,"media_type":"text/plain","size":',
    '"outputs":{"text":{"media_type":"application/json","max_bytes":26214400}}',
    '"events":[],"drained":["outcome-att_"],"kind":"fargate","environment":null,"kind":"function"',
    '{"type":"ATTEMPT_PREPARED","at":"2026-","attemptId":"att_","actionId":"execute","nodeId":"',
    '.EXECUTE","attemptNumber":1,"executor":"","executorVersion":"1.0.0","level":1,"kind":"function"',
    ',"passedOver":[],"requestSha256":"","commitment":{"COMPUTE_COST":"0","ATTEMPTS":"1","WALL_SECONDS":"60"}',
    ',"hardDeadline":"2026-","preparedAt":"2026-"},{"type":"ATTEMPT_DISPATCHED","at":"2026-","attemptId":"att_',
    '{"type":"ATTEMPT_OUTCOME","id":"outcome-att_","at":"2026-","attemptId":"att_","outcome":',
    '{"type":"ATTEMPT_ENDED","at":"2026-","attemptId":"att_","outcome":{"end":"FAILED","reason":"',
    '{"end":"SUCCEEDED","reason":null,"detail":"","outputs":{"text":{"key":"attempts/att_/sha256/',
    '","versionId":"","sha256":"","size":1,"mediaType":"application/json","filename":null}}',
    ',"failedChecks":[],"recordSha256":"","costMicroUsd":"0","wallSeconds":1,"claimedAt":null,"returnedAt":null',
    ',"endedAt":"2026-"},"settlement":{"COMPUTE_COST":"0","ATTEMPTS":"1","WALL_SECONDS":"1"}}',
    ',{"type":"NODE_ACCEPTED","at":"2026-","nodeId":"","attemptId":"att_',
  ].join(''),
);

const firstVersion = 1;
const level = 9;
/** Far above what one item can hold: bytes that unpack to more were not made here. */
const unpackedBytes = 8 * 1024 * 1024;

/**
 * JSON as few bytes: a version, then raw DEFLATE with a preset dictionary. A write costs by the kilobyte, and a run's
 * items say much the same.
 */
export function packJson(value: unknown): Uint8Array {
  const packed = deflateRawSync(JSON.stringify(value), { dictionary: firstDictionary, level });
  return Buffer.concat([Buffer.of(firstVersion), packed]);
}

/** @throws PermanentError when the bytes are not what `packJson` made */
export function unpackJson(bytes: Uint8Array): unknown {
  const version = bytes[0];
  if (version !== firstVersion) {
    throw new PermanentError(`packed JSON of version ${String(version)} cannot be read`);
  }
  try {
    const text = inflateRawSync(bytes.subarray(1), {
      dictionary: firstDictionary,
      maxOutputLength: unpackedBytes,
    });
    return JSON.parse(text.toString('utf8')) as unknown;
  } catch (error) {
    throw new PermanentError('packed JSON cannot be read', { cause: error });
  }
}
