import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { GetObjectCommand, NoSuchKey, PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { lookup } from 'mime-types';
import { dump, load } from 'js-yaml';
import { z } from 'zod';

/** What `windlass local env --json` says, as far as dropping a plan needs it. */
const environment = z.looseObject({
  AWS_ENDPOINT_URL_S3: z.string(),
  AWS_REGION: z.string(),
  AWS_ACCESS_KEY_ID: z.string(),
  AWS_SECRET_ACCESS_KEY: z.string(),
  AWS_CA_BUNDLE: z.string(),
});

const answer = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('STARTED'), run_id: z.string() }),
  z.object({ kind: z.literal('REFUSED'), faults: z.array(z.unknown()) }),
]);

const answerMilliseconds = 60_000;
const lookMilliseconds = 200;

/** Puts a plan with the files it takes into `inbox/{board}/` and waits for the answer in `outbox/`; gives the run's id. */
export async function dropPlan(drop: {
  env: Record<string, string>;
  bucket: string;
  board: string;
  planFile: string;
  artifactBucket: string;
  /** Input name → files on disk. */
  files: Record<string, string[]>;
}): Promise<string> {
  const settings = environment.parse(drop.env);
  const s3 = new S3Client({
    endpoint: settings.AWS_ENDPOINT_URL_S3,
    region: settings.AWS_REGION,
    forcePathStyle: true,
    requestHandler: { httpsAgent: { ca: await readFile(settings.AWS_CA_BUNDLE) } },
    credentials: {
      accessKeyId: settings.AWS_ACCESS_KEY_ID,
      secretAccessKey: settings.AWS_SECRET_ACCESS_KEY,
    },
  });
  const runInputs: Record<string, unknown[]> = {};
  for (const [name, files] of Object.entries(drop.files)) {
    runInputs[name] = await Promise.all(
      files.map((file) => putDocument(s3, drop.artifactBucket, drop.board, file)),
    );
  }
  const plan = load(await readFile(drop.planFile, 'utf8')) as Record<string, unknown>;
  const key = `inbox/${drop.board}/quarterly digest.yaml`;
  const body = dump({ ...plan, run_inputs: runInputs });
  const put = await s3.send(new PutObjectCommand({ Bucket: drop.bucket, Key: key, Body: body }));
  const answerKey = `outbox/${drop.board}/quarterly digest.yaml.${put.VersionId ?? ''}.json`;
  const until = Date.now() + answerMilliseconds;
  for (;;) {
    const text = await readText(s3, drop.bucket, answerKey);
    if (text !== undefined) {
      const parsed = answer.parse(JSON.parse(text));
      if (parsed.kind === 'STARTED') return parsed.run_id;
      throw new Error(`the dropped plan was refused: ${JSON.stringify(parsed.faults)}`);
    }
    if (Date.now() > until) throw new Error(`no answer at s3://${drop.bucket}/${answerKey}`);
    await pause(lookMilliseconds);
  }
}

/** Hands one document in by S3 itself, as anybody may who may write there. */
async function putDocument(s3: S3Client, bucket: string, board: string, file: string) {
  const key = `uploads/${board}/by-hand/${basename(file)}`;
  const put = await s3.send(
    new PutObjectCommand({
      Bucket: bucket,
      Key: key,
      Body: await readFile(file),
      ContentType: lookup(file) || 'application/octet-stream',
      ChecksumAlgorithm: 'SHA256',
    }),
  );
  return { key, version_id: put.VersionId };
}

async function readText(s3: S3Client, bucket: string, key: string): Promise<string | undefined> {
  try {
    const object = await s3.send(new GetObjectCommand({ Bucket: bucket, Key: key }));
    return await object.Body?.transformToString();
  } catch (error) {
    if (error instanceof NoSuchKey) return undefined;
    throw error;
  }
}
