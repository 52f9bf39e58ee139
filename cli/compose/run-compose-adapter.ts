import module from 'node:module';
import { exitCodes } from '../exit-codes.ts';
import { handProcessTo } from './hand-process-to.ts';
import { composeHints, planDockerCall } from './plan-docker-call.ts';

/** Runs the adapter: refuses with exit 2 and one line, or becomes `docker` for good (A62–A66). */
export function runComposeAdapter(words: readonly string[]): void {
  const planned = planDockerCall(words, process.env);
  if (planned.kind === 'refused') {
    process.stderr.write(`err:${planned.code}: ${composeHints[planned.code]}\n`);
    process.exitCode = exitCodes.usage;
    return;
  }
  // The cache is written when Node ends, and a process that becomes another one never does.
  module.flushCompileCache();
  handProcessTo('docker', planned.words);
}
