import { prepareUploadBody } from '../../../schemas/public-api.ts';
import { createStores } from '../../dependencies/create-stores.ts';
import { requireGrant } from '../../middleware/require-grant.ts';
import {
  parseBody,
  serveRoute,
  type RouteAnswer,
  type RouteCall,
} from '../../middleware/serve-route.ts';
import { prepareUpload } from '../../use-cases/upload/prepare-upload.ts';

const controller = { ...createStores(process.env) };

/** `POST /boards/{board}/uploads` */
export const handler = serveRoute(async (call: RouteCall): Promise<RouteAnswer> => {
  const board = await requireGrant(controller.boards, call, 'UPLOAD');
  const file = parseBody(prepareUploadBody, call.body);
  return { status: 200, body: await prepareUpload(controller.artifacts, board, file) };
});
