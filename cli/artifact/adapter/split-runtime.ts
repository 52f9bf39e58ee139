import { split } from 'shlex';
import { ArtifactFailure } from '../artifact-failure.ts';
import { findShippedAdapter } from './find-shipped-adapter.ts';

/**
 * The words of a command prefix as a POSIX shell splits them: quotes and backslashes, and nothing else. Operators,
 * variables, globs and comments stay the literal words they are, as no shell ever sees them (A52).
 *
 * @throws ArtifactFailure artifact_transport_unavailable when a quote has no end, or no program is named
 */
export function splitRuntime(
  runtime: string,
  env: NodeJS.ProcessEnv = process.env,
): [string, ...string[]] {
  const [program, ...words] = splitWords(runtime);
  // Without a program the verb itself would be looked up on PATH.
  if (program === undefined || program === '')
    throw new ArtifactFailure('artifact_transport_unavailable');
  return [findShippedAdapter(program, env), ...words];
}

function splitWords(runtime: string): string[] {
  try {
    return split(runtime);
  } catch {
    throw new ArtifactFailure('artifact_transport_unavailable');
  }
}
