import { z } from 'zod';

/** One fault of a refused plan or body: where, what was there, what is wrong and how to mend it. */
export const fault = z.strictObject({
  /** JSON pointer into the document. */
  path: z.string(),
  code: z.string(),
  /** The bad value as JSON, cut to 200 characters. */
  value: z.string(),
  message: z.string(),
  fix: z.string(),
});
export type Fault = z.infer<typeof fault>;

/** Codes of refusals of the public API; each has one HTTP status and one title. */
export const problemCodes = {
  BODY_MALFORMED: { status: 400, title: 'The body is not what this route takes' },
  PLAN_REFUSED: { status: 422, title: 'The plan is refused' },
  IDEMPOTENCY_KEY_MISSING: {
    status: 400,
    title: 'The Idempotency-Key header is missing or malformed',
  },
  IDEMPOTENCY_KEY_REUSED: { status: 409, title: 'This Idempotency-Key was used with another body' },
  NOT_GRANTED: { status: 403, title: 'No grant on this board allows this' },
  BOARD_UNKNOWN: { status: 404, title: 'There is no such board' },
  BOARD_EXISTS: { status: 409, title: 'There is a board of this name already' },
  RUN_UNKNOWN: { status: 404, title: 'There is no such run on this board' },
  NODE_UNKNOWN: { status: 404, title: 'There is no such node in this run' },
  RUN_ENDED: { status: 409, title: 'The run has ended' },
  TASK_UNKNOWN: { status: 404, title: 'There is no such task on this board' },
  ATTACHMENT_UNKNOWN: { status: 404, title: 'This task has no such attachment' },
  BYTES_DIFFER: { status: 422, title: 'The stored bytes are not those that were declared' },
  UPLOAD_REFUSED: { status: 422, title: 'The upload is refused' },
  ROUTE_UNKNOWN: { status: 404, title: 'There is no such route' },
  INTERNAL: { status: 500, title: 'Something of ours broke; the request can be repeated' },
} as const;
export type ProblemCode = keyof typeof problemCodes;

/** An RFC 9457 problem document. */
export const problem = z.object({
  type: z.string(),
  title: z.string(),
  status: z.int(),
  code: z.string(),
  detail: z.string(),
  instance: z.string().optional(),
  faults: z.array(fault).optional(),
  faults_left_out: z.int().nonnegative().optional(),
});
export type Problem = z.infer<typeof problem>;

export function renderProblem(
  code: ProblemCode,
  detail: string,
  faults?: { listed: Fault[]; leftOut: number },
): Problem {
  const { status, title } = problemCodes[code];
  return {
    type: `urn:windlass:problem:${code.toLowerCase().replaceAll('_', '-')}`,
    title,
    status,
    code,
    detail,
    ...(faults === undefined ? {} : { faults: faults.listed, faults_left_out: faults.leftOut }),
  };
}
