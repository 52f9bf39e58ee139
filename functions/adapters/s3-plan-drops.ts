import type { Readable } from 'node:stream';
import { digestBytes } from '../../schemas/digest.ts';
import { limits } from '../../schemas/limits.ts';
import { PlanTooLargeError } from '../ports/errors.ts';
import type { PlanDrops } from '../ports/plan-drops.ts';
import { createObject, openObject, type Bucket } from './s3/stored-objects.ts';
import { callAws } from './translate-aws-error.ts';

/** What S3 takes as a key, in bytes of UTF-8. */
const keyBytes = 1_024;

/** Dropped plans and their answers in one versioned bucket. */
export function createS3PlanDrops(bucket: Bucket): PlanDrops {
  return {
    async read(key, versionId) {
      const opened = await openObject(bucket, { key, versionId });
      if (opened === undefined) return undefined;
      const size = opened.ContentLength ?? 0;
      if (size > limits.planBytes) {
        (opened.Body as Readable).destroy();
        throw new PlanTooLargeError(
          `the plan ${key} has ${String(size)} bytes; ${String(limits.planBytes)} is the limit: split it`,
        );
      }
      return callAws(`read ${key}`, async () => (await opened.Body?.transformToString()) ?? '');
    },

    async answer(key, versionId, text) {
      const object = { key: nameAnswer(key, versionId), bytes: Buffer.from(text) };
      await createObject(bucket, { ...object, mediaType: 'application/json' });
    },
  };
}

/** `inbox/board/plan.yaml` is answered at `outbox/board/plan.yaml.<version>.json`; a key too long for that at its digest. */
export function nameAnswer(key: string, versionId: string): string {
  const [, board = '', ...rest] = key.split('/');
  const name = `outbox/${board}/${rest.join('/')}.${versionId}.json`;
  if (Buffer.byteLength(name) <= keyBytes) return name;
  return `outbox/${board}/sha256-${digestBytes(key)}.${versionId}.json`;
}
