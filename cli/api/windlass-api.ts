import type { z } from 'zod';
import { planCheckAnswer, type planCheckBody } from '../../schemas/plan-check-api.ts';
import * as api from '../../schemas/public-api.ts';
import type { CallApi } from './call-api.ts';
import { routes } from './routes.ts';
import { createTaskApi } from './task-api.ts';

export type StartRunAnswer = z.infer<typeof api.startRunAnswer>;
export type PlanCheckAnswer = z.infer<typeof planCheckAnswer>;
export type RunDetail = z.infer<typeof api.runDetail>;
export type NodeSummary = z.infer<typeof api.nodeSummary>;
export type NodeDetail = z.infer<typeof api.nodeDetail>;
export type RunList = z.infer<typeof api.runList>;
export type RunEvents = z.infer<typeof api.runEvents>;
export type RunDeliverables = z.infer<typeof api.runDeliverables>;
export type DeliverableFile = z.infer<typeof api.deliverableFile>;
type PrepareUploadBody = z.infer<typeof api.prepareUploadBody>;
export type PrepareUploadAnswer = z.infer<typeof api.prepareUploadAnswer>;

/** The public API in the terms of a caller. Each call throws a CommandFailure when the answer is no or none comes. */
export function createWindlassApi(call: CallApi) {
  return {
    ...createReadApi(call),
    ...createTaskApi(call),
    /** Starts and stores nothing; a refusal is the one that a start would have. */
    checkPlan: (board: string, body: z.infer<typeof planCheckBody>) =>
      call({
        method: 'POST',
        path: routes.planChecks(board),
        body,
        answer: planCheckAnswer,
        repeatable: true,
      }),
    /** The key makes a repeat harmless: the same key and body find the same run. */
    startRun: (board: string, body: z.infer<typeof api.startRunBody>, idempotencyKey: string) =>
      call({
        method: 'POST',
        path: routes.runs(board),
        headers: { 'idempotency-key': idempotencyKey },
        body,
        answer: api.startRunAnswer,
        repeatable: true,
      }),
    cancelRun: (board: string, run: string, cause: string | undefined) =>
      call({
        method: 'POST',
        path: routes.cancel(board, run),
        body: cause === undefined ? {} : { cause },
        answer: api.cancelRunAnswer,
        repeatable: true,
      }),
    prepareUpload: (board: string, body: PrepareUploadBody) =>
      call({
        method: 'POST',
        path: routes.uploads(board),
        body,
        answer: api.prepareUploadAnswer,
        repeatable: true,
      }),
    /** A repeat by whoever made the board answers `created: false`. */
    createBoard: (board: string) =>
      call({ method: 'PUT', path: routes.board(board), answer: api.boardAnswer, repeatable: true }),
    grantOnBoard: (board: string, body: z.infer<typeof api.grantBody>) =>
      call({
        method: 'PUT',
        path: routes.grants(board),
        body,
        answer: api.grantAnswer,
        repeatable: true,
      }),
  };
}

function createReadApi(call: CallApi) {
  return {
    showRun: (board: string, run: string) =>
      call({
        method: 'GET',
        path: routes.run(board, run),
        answer: api.runDetail,
        repeatable: true,
      }),
    /** @param before `next` of the page before; undefined for the first page */
    listRuns: (board: string, before: string | undefined) =>
      call({
        method: 'GET',
        path: routes.runs(board),
        query: before === undefined ? undefined : { before },
        answer: api.runList,
        repeatable: true,
      }),
    readEvents: (board: string, run: string, after: number) =>
      call({
        method: 'GET',
        path: routes.events(board, run),
        query: { after: String(after) },
        answer: api.runEvents,
        repeatable: true,
      }),
    showNode: (board: string, run: string, node: string) =>
      call({
        method: 'GET',
        path: routes.node(board, run, node),
        answer: api.nodeDetail,
        repeatable: true,
      }),
    /** @param after `next` of the page before; 0 for the first page */
    listDeliverables: (board: string, run: string, after: number) =>
      call({
        method: 'GET',
        path: routes.deliverables(board, run),
        query: { after: String(after) },
        answer: api.runDeliverables,
        repeatable: true,
      }),
  };
}

export type WindlassApi = ReturnType<typeof createWindlassApi>;
