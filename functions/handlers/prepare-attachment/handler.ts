import { attachmentBody } from '../../../schemas/task-api.ts';
import { createStores } from '../../dependencies/create-stores.ts';
import { readUpload } from '../../middleware/read-upload.ts';
import {
  parseBody,
  serveRoute,
  type RouteAnswer,
  type RouteCall,
} from '../../middleware/serve-route.ts';
import { prepareAttachment } from '../../use-cases/attachment/prepare-attachment.ts';

const controller = { ...createStores(process.env) };

/** `POST /boards/{board}/tasks/{task}/uploads` */
export const handler = serveRoute(async (call: RouteCall): Promise<RouteAnswer> => {
  const upload = await readUpload(controller, call);
  const file = parseBody(attachmentBody, call.body);
  return { status: 200, body: await prepareAttachment(controller.artifacts, upload, file) };
});
