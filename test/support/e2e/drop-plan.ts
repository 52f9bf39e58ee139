import { GetObjectCommand, NoSuchKey, PutObjectCommand } from '@aws-sdk/client-s3';
import { nameAnswer } from '../../../functions/adapters/s3-plan-drops.ts';
import type { DropAnswer } from '../../../functions/use-cases/run/start-dropped-run.ts';
import { waitFor } from './follow-run.ts';
import type { E2eStack } from './use-stack.ts';

/** Puts a document under `inbox/`; gives its version. */
export async function dropPlan(stack: E2eStack, key: string, text: string): Promise<string> {
  const put = await stack.aws.s3.send(
    new PutObjectCommand({ Bucket: stack.outputs.DropBucket, Key: key, Body: text }),
  );
  if (put.VersionId === undefined) throw new Error(`the bucket gave no version for ${key}`);
  return put.VersionId;
}

export async function readAnswer(
  stack: E2eStack,
  key: string,
  versionId: string,
): Promise<DropAnswer | undefined> {
  const answerKey = nameAnswer(key, versionId);
  try {
    const object = await stack.aws.s3.send(
      new GetObjectCommand({ Bucket: stack.outputs.DropBucket, Key: answerKey }),
    );
    return JSON.parse((await object.Body?.transformToString()) ?? '') as DropAnswer;
  } catch (error) {
    if (error instanceof NoSuchKey) return undefined;
    throw error;
  }
}

export async function awaitAnswer(
  stack: E2eStack,
  key: string,
  versionId: string,
): Promise<DropAnswer> {
  return waitFor(`an answer to ${key}`, () => readAnswer(stack, key, versionId));
}

/** The run that a drop started. @throws Error with the faults when it was refused */
export async function awaitDroppedRun(
  stack: E2eStack,
  key: string,
  versionId: string,
): Promise<string> {
  const answer = await awaitAnswer(stack, key, versionId);
  if (answer.kind === 'REFUSED') throw new Error(JSON.stringify(answer.faults));
  return answer.run_id;
}
