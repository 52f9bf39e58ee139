import type { z } from 'zod';
import { planCheckAnswer, planCheckBody } from '../../../schemas/plan-check-api.ts';
import * as api from '../../../schemas/public-api.ts';
import { renderProblem, type ProblemCode } from '../../../schemas/problem.ts';
import { answerTaskRoute } from './answer-task-route.ts';
import { runId, type StandInState } from './stand-in-state.ts';

export interface StandInCall {
  method: string;
  path: string;
  query: URLSearchParams;
  headers: Record<string, string | string[] | undefined>;
  body: unknown;
  /** Base of the addresses that stand for presigned ones. */
  storeUrl: string;
}

export interface StandInAnswer {
  status: number;
  body: unknown;
  headers?: Record<string, string>;
}

/** Answers a call as the public API does, each body checked against its schema. */
/** Few, so that whoever lists several asks for pages. */
const deliverablesOnPage = 2;

export function answerRoute(state: StandInState, call: StandInCall): StandInAnswer {
  const [first, board = '', area, run = '', part, node = ''] = call.path.split('/').slice(1);
  if (first !== 'boards') return refuse('ROUTE_UNKNOWN');
  if (area === undefined && call.method === 'PUT') return createBoard(state, board);
  if (!state.boards.has(board)) return refuse('BOARD_UNKNOWN', `There is no board ${board}.`);
  if (state.closedBoards.has(board)) return refuse('NOT_GRANTED', 'The caller may not do this.');
  if (area === 'grants' && call.method === 'PUT') {
    const grant = api.grantBody.parse(call.body);
    return answer(api.grantAnswer, { board, ...grant });
  }
  if (area === 'uploads') return prepareUpload(state, board, call);
  if (area === 'plan-checks') return checkPlan(state, board, call);
  if (area === 'tasks') return answerTaskRoute(state, board, call);
  if (area !== 'runs') return refuse('ROUTE_UNKNOWN');
  if (run === '')
    return call.method === 'POST' ? startRun(state, board, call) : listRuns(state, call);
  if (!state.runs.has(run)) return refuse('RUN_UNKNOWN', `There is no run ${run}.`);
  return answerRun(state, call, { run, part, node });
}

function answerRun(
  state: StandInState,
  call: StandInCall,
  { run, part, node }: { run: string; part: string | undefined; node: string },
): StandInAnswer {
  const found = state.runs.get(run)!;
  switch (part) {
    case undefined:
      return answer(api.runDetail, found);
    case 'events': {
      const after = Number(call.query.get('after') ?? 0);
      const events = (state.events.get(run) ?? []).filter((event) => event.seq > after);
      const page = events.slice(0, 3);
      const next = page.at(-1)?.seq ?? after;
      const told = page.length === events.length;
      return answer(api.runEvents, { events: page, next, status: told ? found.status : 'RUNNING' });
    }
    case 'nodes': {
      const detail = state.nodes.get(node);
      return detail === undefined ? refuse('NODE_UNKNOWN') : answer(api.nodeDetail, detail);
    }
    case 'deliverables': {
      const after = Number(call.query.get('after') ?? 0);
      const all = state.deliverables.get(run) ?? [];
      const until = after + deliverablesOnPage;
      return answer(api.runDeliverables, {
        run_id: run,
        status: found.status,
        deliverables: all.slice(after, until).map((file, place) => ({
          ...api.deliverableFile.omit({ url: true }).strip().parse(file),
          url: `${call.storeUrl}/store/deliverable/${run}/${String(after + place)}?X-Amz-Signature=planted-signature`,
        })),
        next: until < all.length ? until : null,
      });
    }
    case 'cancel': {
      api.cancelRunBody.parse(call.body);
      if (found.status === 'SUCCEEDED' || found.status === 'FAILED')
        return refuse('RUN_ENDED', `The run has ended as ${found.status}.`);
      if (found.status !== 'CANCELLED') state.runs.set(run, { ...found, status: 'CANCELLING' });
      return answer(api.cancelRunAnswer, { run_id: run, status: state.runs.get(run)!.status });
    }
    default:
      return refuse('ROUTE_UNKNOWN');
  }
}

function createBoard(state: StandInState, board: string): StandInAnswer {
  const created = !state.boards.has(board);
  state.boards.add(board);
  return answer(api.boardAnswer, { board, created });
}

function startRun(state: StandInState, board: string, call: StandInCall): StandInAnswer {
  const body = api.startRunBody.parse(call.body);
  const key = call.headers['idempotency-key'];
  if (typeof key !== 'string') return refuse('IDEMPOTENCY_KEY_MISSING');
  const text = JSON.stringify(body);
  const before = state.starts.get(key);
  if (before !== undefined && before.body !== text) return refuse('IDEMPOTENCY_KEY_REUSED');
  if (before === undefined && isRefused(state, body.plan)) return refusePlan();
  state.starts.set(key, { body: text, runId });
  return answer(api.startRunAnswer, {
    run_id: runId,
    board,
    status: 'STARTING',
    plan_sha256: 'a'.repeat(64),
    nodes: 1,
    replayed: before !== undefined,
  });
}

function checkPlan(state: StandInState, board: string, call: StandInCall): StandInAnswer {
  const body = planCheckBody.parse(call.body);
  state.planChecks.push(body);
  if (isRefused(state, body.plan)) return refusePlan();
  return answer(planCheckAnswer, {
    board,
    name: 'digest',
    plan_sha256: null,
    nodes: 3,
    deliverables: 1,
    budget: state.checkedBudget,
  });
}

function isRefused(state: StandInState, plan: unknown): boolean {
  return state.refusesPlans || (typeof plan === 'string' && plan.includes('refuse-me'));
}

function refusePlan(): StandInAnswer {
  return {
    status: 422,
    body: renderProblem('PLAN_REFUSED', 'The plan has 1 fault(s).', {
      listed: [
        {
          path: '/nodes/0/after',
          code: 'CYCLE',
          value: '["b"]',
          message: 'is part of the cycle a → b → a',
          fix: 'take one of them out',
        },
      ],
      leftOut: 0,
    }),
  };
}

function prepareUpload(state: StandInState, board: string, call: StandInCall): StandInAnswer {
  const { sha256, filename } = api.prepareUploadBody.parse(call.body);
  const key = `uploads/${board}/${sha256}/${filename}`;
  const stored = state.objects.get(key);
  return answer(api.prepareUploadAnswer, {
    key,
    url:
      stored === undefined
        ? `${call.storeUrl}/store/${encodeURI(key)}?X-Amz-Signature=planted-signature`
        : null,
    headers:
      stored === undefined
        ? {
            'x-amz-checksum-sha256': Buffer.from(sha256, 'hex').toString('base64'),
            'if-none-match': '*',
          }
        : {},
    version_id: stored?.versionId ?? null,
  });
}

function listRuns(state: StandInState, call: StandInCall): StandInAnswer {
  const all = [...state.runs.values()];
  const from = Number(call.query.get('before') ?? 0);
  const page = all.slice(from, from + 2);
  return answer(api.runList, {
    runs: page.map(({ run_id, plan, status, started_at, ended_at }) => ({
      run_id,
      plan,
      status,
      started_at,
      ended_at,
    })),
    next: from + 2 < all.length ? String(from + 2) : null,
  });
}

function answer<T>(schema: z.ZodType<T>, body: T): StandInAnswer {
  return { status: 200, body: schema.parse(body) };
}

function refuse(code: ProblemCode, detail = ''): StandInAnswer {
  const body = renderProblem(code, detail);
  return { status: body.status, body };
}
