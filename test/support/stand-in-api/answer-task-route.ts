import type { z } from 'zod';
import * as api from '../../../schemas/task-api.ts';
import { renderProblem, type ProblemCode } from '../../../schemas/problem.ts';
import { renderArtifactReference } from '../../../schemas/parse-artifact-reference.ts';
import type { TaskAddress } from '../../../schemas/task-address.ts';
import type { StandInAnswer, StandInCall } from './answer-route.ts';
import type { StandInAttachment, StandInState } from './stand-in-state.ts';

const createdAt = 1_770_000_000;
const createdBy = 'arn:aws:iam::000000000000:root';
const pageLength = 2;

/** Answers calls of tasks and attachments as the public API does. */
export function answerTaskRoute(
  state: StandInState,
  board: string,
  call: StandInCall,
): StandInAnswer {
  const [, , , , task = '', part, id = ''] = call.path.split('/');
  if (task === '')
    return call.method === 'POST' ? createTask(state, board, call) : list(state, board);
  const title = state.tasks.get(`${board}/${task}`);
  if (title === undefined) return refuse('TASK_UNKNOWN');
  if (part === undefined) return answer(api.taskDetail, describeTask(board, task, title));
  if (part === 'uploads') return prepare(state, { board, taskId: task }, call);
  if (part !== 'attachments') return refuse('ROUTE_UNKNOWN');
  if (call.method === 'POST') return register(state, { board, taskId: task }, call);
  if (id === '') return listAttachments(state, { board, taskId: task }, call);
  const found = find(state, { board, taskId: task }).find(({ id: own }) => String(own) === id);
  if (found === undefined) return refuse('ATTACHMENT_UNKNOWN');
  const url = `${call.storeUrl}/store/${found.key}?X-Amz-Signature=planted-signature`;
  return answer(api.attachmentDownload, { ...describeAttachment(found), url });
}

function createTask(state: StandInState, board: string, call: StandInCall): StandInAnswer {
  const { title } = api.createTaskBody.parse(call.body);
  const key = readKey(call);
  const task = `t_${key.replace(/[^a-z0-9]/gi, '').slice(0, 16)}`;
  const replayed = state.tasks.has(`${board}/${task}`);
  state.tasks.set(`${board}/${task}`, title);
  return answer(api.createTaskAnswer, { ...describeTask(board, task, title), replayed });
}

function list(state: StandInState, board: string): StandInAnswer {
  const tasks = [...state.tasks]
    .filter(([name]) => name.startsWith(`${board}/`))
    .map(([name, title]) => describeTask(board, name.slice(board.length + 1), title));
  return answer(api.taskList, { tasks, next: null });
}

function describeTask(board: string, task: string, title: string) {
  return { task_id: task, board, title, created_by: createdBy, created_at: createdAt };
}

function nameObject(of: TaskAddress, call: StandInCall, sha256: string): string {
  return `attachments/${of.board}/${of.taskId}/${readKey(call)}/${sha256}`;
}

function prepare(state: StandInState, of: TaskAddress, call: StandInCall): StandInAnswer {
  const { sha256 } = api.attachmentBody.parse(call.body);
  const key = nameObject(of, call, sha256);
  if (state.objects.has(key))
    return answer(api.prepareAttachmentAnswer, { url: null, headers: {} });
  return answer(api.prepareAttachmentAnswer, {
    url: `${call.storeUrl}/store/${key}?X-Amz-Signature=planted-signature`,
    headers: {
      'x-amz-checksum-sha256': Buffer.from(sha256, 'hex').toString('base64'),
      'if-none-match': '*',
    },
  });
}

function register(state: StandInState, of: TaskAddress, call: StandInCall): StandInAnswer {
  const file = api.attachmentBody.parse(call.body);
  const key = nameObject(of, call, file.sha256);
  const earlier = state.attachments.find((each) => each.key === key);
  if (earlier === undefined && !state.objects.has(key)) return refuse('UPLOAD_REFUSED');
  const found = earlier ?? { ...of, key, file, id: state.attachments.length + 1 };
  if (earlier === undefined) state.attachments.push(found);
  const replayed = earlier !== undefined;
  return answer(api.registerAttachmentAnswer, { ...describeAttachment(found), replayed });
}

function listAttachments(state: StandInState, of: TaskAddress, call: StandInCall): StandInAnswer {
  const after = Number(call.query.get('after') ?? 0);
  const left = find(state, of).filter(({ id }) => id > after);
  const page = left.slice(0, pageLength);
  return answer(api.attachmentList, {
    attachments: page.map(describeAttachment),
    next: left.length > page.length ? page.at(-1)!.id : null,
  });
}

function find(state: StandInState, { board, taskId }: TaskAddress): StandInAttachment[] {
  return state.attachments.filter((each) => each.board === board && each.taskId === taskId);
}

function describeAttachment({ board, taskId, id, file }: StandInAttachment) {
  const { sha256 } = file;
  return {
    reference: renderArtifactReference({ board, taskId, attachmentId: id, sha256 }),
    board,
    task_id: taskId,
    attachment_id: id,
    ...file,
    uploaded_by: createdBy,
    created_at: createdAt,
    direction: 'INPUT' as const,
    attempt_id: null,
  };
}

function readKey(call: StandInCall): string {
  const key = call.headers['idempotency-key'];
  if (typeof key !== 'string') throw new Error('a call without an Idempotency-Key');
  return key;
}

function answer<T>(schema: z.ZodType<T>, body: T): StandInAnswer {
  return { status: 200, body: schema.parse(body) };
}

function refuse(code: ProblemCode): StandInAnswer {
  const body = renderProblem(code, `planted detail of ${code}`);
  return { status: body.status, body };
}
