import { connect } from 'node:net';
import { networkInterfaces } from 'node:os';
import { readFile, readdir, readlink } from 'node:fs/promises';
import { CreateTableCommand, DynamoDBClient, GetItemCommand } from '@aws-sdk/client-dynamodb';
import { CreateBucketCommand, ListObjectsV2Command, S3Client } from '@aws-sdk/client-s3';
import { GetCallerIdentityCommand, STSClient } from '@aws-sdk/client-sts';
import { describe, expect, it } from 'vitest';
import { uniqueName, useEmulator } from '../../support/use-emulator.ts';
import { createGrantedRole } from './create-granted-role.ts';

const used = useEmulator();
const { emulator, clientConfig, configureAs } = used;

function canConnect(host: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host, port });
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => {
      resolve(false);
    });
  });
}

/** Ports on which this process itself listens: its sockets looked up in the kernel's table. */
async function readListeningPorts(pid: number): Promise<number[]> {
  const folder = `/proc/${String(pid)}`;
  const descriptors = await readdir(`${folder}/fd`);
  const links = await Promise.all(
    descriptors.map((fd) => readlink(`${folder}/fd/${fd}`).catch(() => '')),
  );
  const inodes = new Set(links.map((link) => /^socket:\[(\d+)\]$/.exec(link)?.[1]));
  const tables = await Promise.all(
    ['tcp', 'tcp6'].map((name) => readFile(`${folder}/net/${name}`, 'utf8').catch(() => '')),
  );
  return tables
    .flatMap((table) => table.split('\n'))
    .map((line) => line.trim().split(/\s+/))
    .filter((fields) => fields[3] === '0A' && inodes.has(fields[9]))
    .map((fields) => Number.parseInt(fields[1]?.split(':')[1] ?? '', 16));
}

describe('emulator', () => {
  it('knows the root caller of the emulated account', async () => {
    const identity = await new STSClient(clientConfig).send(new GetCallerIdentityCommand({}));
    expect(identity.Account).toBe('000000000000');
  });

  it('refuses an unsigned call with 403', async () => {
    const bucket = uniqueName('closed');
    await new S3Client(clientConfig).send(new CreateBucketCommand({ Bucket: bucket }));
    const unsigned = await fetch(`${emulator.endpoint}/${bucket}?list-type=2`);
    expect(unsigned.status).toBe(403);
  });

  it('refuses a call signed with another secret key', async () => {
    const role = await createGrantedRole(used, [{ Effect: 'Allow', Action: '*', Resource: '*' }]);
    const forged = { ...role.credentials, secretAccessKey: 'another-secret-access-key' };
    const sts = new S3Client(configureAs(forged));
    await expect(
      sts.send(new ListObjectsV2Command({ Bucket: uniqueName('bucket') })),
    ).rejects.toMatchObject({ $metadata: { httpStatusCode: 403 } });
  });

  it('lets a role do what its policy grants and nothing else', async () => {
    const bucket = uniqueName('granted');
    const other = uniqueName('other');
    const s3 = new S3Client(clientConfig);
    await s3.send(new CreateBucketCommand({ Bucket: bucket }));
    await s3.send(new CreateBucketCommand({ Bucket: other }));
    const role = await createGrantedRole(used, [
      {
        Effect: 'Allow',
        Action: 's3:ListBucket',
        Resource: `arn:aws:s3:::${bucket}`,
      },
    ]);
    const asRole = new S3Client(role);
    const listed = await asRole.send(new ListObjectsV2Command({ Bucket: bucket }));
    expect(listed.KeyCount).toBe(0);
    await expect(asRole.send(new ListObjectsV2Command({ Bucket: other }))).rejects.toMatchObject({
      name: 'AccessDenied',
    });
  });

  it('refuses a table read that no policy grants', async () => {
    const table = uniqueName('table');
    await new DynamoDBClient(clientConfig).send(
      new CreateTableCommand({
        TableName: table,
        BillingMode: 'PAY_PER_REQUEST',
        AttributeDefinitions: [{ AttributeName: 'pk', AttributeType: 'S' }],
        KeySchema: [{ AttributeName: 'pk', KeyType: 'HASH' }],
      }),
    );
    const role = await createGrantedRole(used, [
      { Effect: 'Allow', Action: 's3:*', Resource: '*' },
    ]);
    const read = new GetItemCommand({ TableName: table, Key: { pk: { S: 'x' } } });
    await expect(new DynamoDBClient(role).send(read)).rejects.toMatchObject({
      name: 'AccessDeniedException',
    });
  });

  it('answers at 127.0.0.1 and at no other address of the machine', async () => {
    expect(await canConnect('127.0.0.1', emulator.port)).toBe(true);
    const others = Object.values(networkInterfaces())
      .flat()
      .filter((address) => address !== undefined && !address.internal)
      .map((address) => address?.address ?? '');
    for (const address of ['127.0.0.2', ...others]) {
      expect(await canConnect(address, emulator.port)).toBe(false);
    }
  });

  it('takes one port and never port 443', async () => {
    expect(await readListeningPorts(emulator.emulator.pid)).toEqual([emulator.port]);
  });

  it('closes its private paths to a caller without the secret', async () => {
    for (const headers of [{}, { 'x-windlass-secret': 'wrong' }]) {
      const response = await fetch(`${emulator.endpoint}/_windlass/fargate/tasks`, { headers });
      expect(response.status).toBe(403);
    }
    const open = await fetch(`${emulator.endpoint}/_windlass/identity`, {
      headers: { 'x-windlass-secret': emulator.controlSecret },
    });
    expect(await open.json()).toEqual({ instanceId: emulator.instanceId });
  });
});
