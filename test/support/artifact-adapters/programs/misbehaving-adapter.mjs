#!/usr/bin/env node
// Plays one misbehaviour: misbehaving-adapter.mjs FAMILY PLACE artifact-list|... WORDS
import module from 'node:module';
import { fileURLToPath } from 'node:url';

// Hundreds of these start in one test run; most of a start is stripping types.
module.enableCompileCache(
  fileURLToPath(new URL('../../../../.windlass/compile-cache', import.meta.url)),
);
const { misbehave } = await import('../misbehaving/misbehave.ts');
await misbehave(process.argv.slice(2));
