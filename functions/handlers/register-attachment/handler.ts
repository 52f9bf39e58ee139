import { attachmentBody } from '../../../schemas/task-api.ts';
import { createStores } from '../../dependencies/create-stores.ts';
import { readUpload } from '../../middleware/read-upload.ts';
import {
  parseBody,
  ProblemError,
  serveRoute,
  type RouteAnswer,
  type RouteCall,
} from '../../middleware/serve-route.ts';
import { registerAttachment } from '../../use-cases/attachment/register-attachment.ts';
import { renderAttachment } from '../../use-cases/attachment/render-attachment.ts';

const controller = { ...createStores(process.env) };

/** `POST /boards/{board}/tasks/{task}/attachments` */
export const handler = serveRoute(async (call: RouteCall): Promise<RouteAnswer> => {
  const upload = await readUpload(controller, call);
  const file = parseBody(attachmentBody, call.body);
  const answer = await registerAttachment(controller, upload, file);
  switch (answer.kind) {
    case 'REGISTERED':
    case 'REPLAYED': {
      const replayed = answer.kind === 'REPLAYED';
      const body = { ...renderAttachment(answer.attachment), replayed };
      return { status: replayed ? 200 : 201, body };
    }
    case 'BODY_DIFFERS':
      throw new ProblemError(
        'IDEMPOTENCY_KEY_REUSED',
        `The key belongs to attachment ${String(answer.attachment.attachmentId)} of this task, which is another file; use a new key.`,
      );
    case 'NOT_STORED':
      throw new ProblemError(
        'UPLOAD_REFUSED',
        'Nothing is stored for this key. Ask for a URL at …/uploads with the same key and body, send the bytes there, then repeat this call.',
      );
    case 'BYTES_DIFFER':
      throw new ProblemError(
        'BYTES_DIFFER',
        `What is stored has ${String(answer.stored.size)} bytes with SHA-256 ${answer.stored.sha256}, not what was declared. Upload it again under a new key.`,
      );
  }
});
