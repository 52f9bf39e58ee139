import type { z } from 'zod';
import { planCheckAnswer, planCheckBody } from './plan-check-api.ts';
import { problem } from './problem.ts';
import {
  boardAnswer,
  cancelRunAnswer,
  cancelRunBody,
  grantAnswer,
  grantBody,
  nodeDetail,
  prepareUploadAnswer,
  prepareUploadBody,
  runDeliverables,
  runDetail,
  runEvents,
  runList,
  startRunAnswer,
  startRunBody,
} from './public-api.ts';
import { taskRoutes } from './task-routes.ts';

export interface ApiRoute {
  method: 'get' | 'post' | 'put';
  path: string;
  id: string;
  summary: string;
  body?: z.ZodType;
  headers?: { name: string; required: boolean; description: string }[];
  query?: { name: string; description: string }[];
  answers: { status: number; description: string; schema: z.ZodType }[];
}

const refused = (status: number, description: string) => ({ status, description, schema: problem });
const common = [
  refused(403, 'The call is unsigned, or no grant on the board allows it.'),
  refused(404, 'There is no such board, run or node.'),
];

/** Every public route: the one list from which the OpenAPI document is made. All are signed with AWS Signature Version 4. */
export const apiRoutes: readonly ApiRoute[] = [
  {
    method: 'put',
    path: '/boards/{board}',
    id: 'createBoard',
    summary: 'Create a board; the caller gets every grant on it.',
    answers: [
      { status: 201, description: 'Created.', schema: boardAnswer },
      {
        status: 200,
        description: 'It was there, and the caller may grant on it.',
        schema: boardAnswer,
      },
      refused(409, 'It belongs to others.'),
    ],
  },
  {
    method: 'put',
    path: '/boards/{board}/grants',
    id: 'grant',
    summary: 'Say what a role or user may do on the board; replaces what it had.',
    body: grantBody,
    answers: [{ status: 200, description: 'Recorded.', schema: grantAnswer }, ...common],
  },
  {
    method: 'post',
    path: '/boards/{board}/uploads',
    id: 'prepareUpload',
    summary: 'Get a URL that takes exactly the bytes of one file.',
    body: prepareUploadBody,
    answers: [
      { status: 200, description: 'Where to send the bytes.', schema: prepareUploadAnswer },
      ...common,
    ],
  },
  {
    method: 'post',
    path: '/boards/{board}/plan-checks',
    id: 'checkPlan',
    summary: 'Check a plan with its files, stored or only described; starts and stores nothing.',
    body: planCheckBody,
    answers: [
      { status: 200, description: 'A start would take it now.', schema: planCheckAnswer },
      refused(422, 'A start would refuse it; every fault is listed.'),
      ...common,
    ],
  },
  {
    method: 'post',
    path: '/boards/{board}/runs',
    id: 'startRun',
    summary: 'Start a run of a plan.',
    body: startRunBody,
    headers: [
      {
        name: 'Idempotency-Key',
        required: true,
        description: 'The same for each repetition of this start: one key starts one run.',
      },
    ],
    answers: [
      { status: 201, description: 'Started.', schema: startRunAnswer },
      { status: 200, description: 'This key started the run before.', schema: startRunAnswer },
      refused(409, 'The key was used with another body.'),
      refused(422, 'The plan is refused; every fault is listed. Nothing was stored or started.'),
      ...common,
    ],
  },
  {
    method: 'get',
    path: '/boards/{board}/runs',
    id: 'listRuns',
    summary: 'Runs of the board, newest first.',
    query: [{ name: 'before', description: 'The "next" of the page before.' }],
    answers: [{ status: 200, description: 'A page.', schema: runList }, ...common],
  },
  {
    method: 'get',
    path: '/boards/{board}/runs/{run}',
    id: 'showRun',
    summary: 'One run with its nodes and money.',
    answers: [{ status: 200, description: 'The run.', schema: runDetail }, ...common],
  },
  {
    method: 'get',
    path: '/boards/{board}/runs/{run}/events',
    id: 'listEvents',
    summary: 'The log of a run, a page at a time.',
    query: [{ name: 'after', description: 'The "next" of the page before; 0 from the beginning.' }],
    answers: [{ status: 200, description: 'Events in order.', schema: runEvents }, ...common],
  },
  {
    method: 'get',
    path: '/boards/{board}/runs/{run}/nodes/{node}',
    id: 'showNode',
    summary: 'One node: attempts, and why its executor was chosen.',
    answers: [{ status: 200, description: 'The node.', schema: nodeDetail }, ...common],
  },
  {
    method: 'get',
    path: '/boards/{board}/runs/{run}/deliverables',
    id: 'listDeliverables',
    summary:
      'The accepted results of a run, a page at a time, with links that work for 15 minutes.',
    query: [{ name: 'after', description: 'The "next" of the page before; 0 from the beginning.' }],
    answers: [
      { status: 200, description: 'The deliverables.', schema: runDeliverables },
      ...common,
    ],
  },
  {
    method: 'post',
    path: '/boards/{board}/runs/{run}/cancel',
    id: 'cancelRun',
    summary: 'Stop a run. It is CANCELLED once everything it started is gone.',
    body: cancelRunBody,
    answers: [
      { status: 202, description: 'Stopping.', schema: cancelRunAnswer },
      { status: 200, description: 'It was cancelled before.', schema: cancelRunAnswer },
      refused(409, 'The run has ended otherwise.'),
      ...common,
    ],
  },
  ...taskRoutes,
];
