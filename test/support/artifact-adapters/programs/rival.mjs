#!/usr/bin/env node
// A second process beside a download. Its first line says that it is ready. Each line of its input is
// one JSON order, each further line of its output the JSON answer to one.
//
//   {"claim": FILE, "afterMilliseconds": N, "text": T}  creates FILE if nothing is there
//   {"claim": FILE, "when": SIGN, "text": T}            creates it as soon as the sign is there
//   {"read": FILE, "until": FILE}                       reads FILE over and over until the other is there,
//                                                       says so after the first time, and reads once more then
import { createHash } from 'node:crypto';
import { closeSync, existsSync, openSync, readFileSync, writeSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';

/** As long as the other side needs from its sign to its publication. */
const spinMilliseconds = 0.12;

tell({ ready: true });
for await (const line of createInterface({ input: process.stdin })) {
  const order = JSON.parse(line);
  const answer = order.claim === undefined ? read(order) : await claim(order);
  tell(answer);
}

function tell(answer) {
  process.stdout.write(`${JSON.stringify(answer)}\n`);
}

function spin(milliseconds) {
  const end = performance.now() + milliseconds;
  while (performance.now() < end);
}

/** Creates the file in two halves, as any slow writer does, or tells what it found in its place. */
async function claim({ claim: file, afterMilliseconds, when, text }) {
  if (when === undefined) await pause(afterMilliseconds);
  else {
    while (!existsSync(when));
    spin(Math.random() * spinMilliseconds);
  }
  try {
    const handle = openSync(file, 'wx');
    writeSync(handle, text.slice(0, text.length / 2));
    writeSync(handle, text.slice(text.length / 2));
    closeSync(handle);
    return { won: true };
  } catch (error) {
    if (error.code !== 'EEXIST') throw error;
    return { won: false, found: hashFile(file) };
  }
}

function read({ read: file, until }) {
  const found = {};
  let reads = 0;
  for (let isLast = false; !isLast;) {
    isLast = existsSync(until);
    const hash = hashFile(file);
    found[hash] = (found[hash] ?? 0) + 1;
    reads += 1;
    if (reads === 1) tell({ reading: true });
  }
  return { reads, found };
}

function hashFile(file) {
  try {
    return createHash('sha256').update(readFileSync(file)).digest('hex');
  } catch (error) {
    if (error.code === 'ENOENT') return 'nothing';
    throw error;
  }
}
