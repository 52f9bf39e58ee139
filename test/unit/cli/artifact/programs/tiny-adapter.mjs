#!/usr/bin/env node
// The three verbs over a folder, one attachment a file. TINY_PLAY makes it wait, or say too much.
import { createHash } from 'node:crypto';
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';

const store = process.env.TINY_STORE;
const plays = new Set((process.env.TINY_PLAY ?? '').split(' '));
const [verb, board, task, ...rest] = process.argv.slice(2);
const option = (name) => rest[rest.indexOf(name) + 1];
mkdirSync(store, { recursive: true });
appendFileSync(path.join(store, 'calls'), `${JSON.stringify(process.argv.slice(2))}\n`);

/** Says that it is waiting, and waits until the test lets it go. */
async function pause() {
  if (plays.has('stubborn')) process.on('SIGTERM', () => undefined);
  writeFileSync(path.join(store, 'paused'), '');
  while (!existsSync(path.join(store, 'go'))) await new Promise((wait) => setTimeout(wait, 10));
}

function print(bytes) {
  return new Promise((done) => process.stdout.write(bytes, done));
}

if (plays.has('spill')) {
  const said = `${process.env.PLANTED_IN_ENV} ${readFileSync(0, 'utf8')} ${process.env.PLANTED_IN_OUTPUT}`;
  process.stderr.write(said);
  await print(said);
  process.exit(plays.has('calmly') ? 0 : 1);
}
if (verb === 'artifact-upload') {
  if (plays.has('pause')) await pause();
  const chunks = [];
  for await (const chunk of process.stdin) chunks.push(chunk);
  const bytes = Buffer.concat(chunks);
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  if (sha256 !== option('--sha256') || String(bytes.length) !== option('--size')) process.exit(5);
  const id = 1 + readdirSync(store).filter((name) => name.endsWith('.json')).length;
  const row = {
    id,
    task_id: task,
    filename: option('--name'),
    content_type: option('--media-type'),
    size: bytes.length,
    sha256,
    uploaded_by: 'coordinator',
    created_at: 1760000000,
    stored_path: `/worker/only/${id}`,
  };
  writeFileSync(path.join(store, `${id}.blob`), bytes);
  writeFileSync(path.join(store, `${id}.json`), JSON.stringify({ board, row }));
  await print(JSON.stringify(row));
} else if (verb === 'artifact-list') {
  const rows = readdirSync(store)
    .filter((name) => name.endsWith('.json'))
    .map((name) => JSON.parse(readFileSync(path.join(store, name), 'utf8')))
    .filter((entry) => entry.board === board && entry.row.task_id === task)
    .map((entry) => entry.row);
  await print(JSON.stringify(rows));
} else if (verb === 'artifact-download') {
  const blob = path.join(store, `${rest[0]}.blob`);
  if (!existsSync(blob)) process.exit(3);
  const bytes = readFileSync(blob);
  const half = Math.floor(bytes.length / 2);
  await print(bytes.subarray(0, half));
  if (plays.has('pause')) await pause();
  if (plays.has('fail')) process.exit(1);
  await print(bytes.subarray(half));
}
