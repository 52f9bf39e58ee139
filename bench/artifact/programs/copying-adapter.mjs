// The least an adapter can do: it copies, and believes what it is told.
import { createReadStream, createWriteStream, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';

const [store, verb, , task, ...rest] = process.argv.slice(2);
const blob = path.join(store, 'blob');
const listing = path.join(store, 'listing');
if (verb === 'artifact-upload') {
  const option = (name) => rest[rest.indexOf(name) + 1];
  await pipeline(process.stdin, createWriteStream(blob));
  const row = {
    id: 1,
    task_id: task,
    filename: option('--name'),
    content_type: option('--media-type'),
    size: Number(option('--size')),
    sha256: option('--sha256'),
    uploaded_by: 'bench',
    created_at: 1760000000,
  };
  writeFileSync(listing, JSON.stringify([row]));
  process.stdout.write(JSON.stringify(row));
} else if (verb === 'artifact-list') {
  process.stdout.write(readFileSync(listing));
} else {
  await pipeline(createReadStream(blob), process.stdout);
}
