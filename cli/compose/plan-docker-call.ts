/** A call that Docker makes in the worker's container, or the fixed code of why there is none. */
export type PlannedCall =
  { kind: 'call'; words: string[] } | { kind: 'refused'; code: ComposeRefusal };

export type ComposeRefusal = 'unsupported_verb' | 'compose_project_unset';

/** One constant text a code: what was asked for is never repeated. */
export const composeHints: Record<ComposeRefusal, string> = {
  unsupported_verb:
    'the verbs are kanban, artifact-upload, artifact-list and artifact-download; nothing was run',
  compose_project_unset:
    'set COMPOSE_FILE and COMPOSE_PROJECT_NAME to the project of the worker; neither has a default',
};

const service = 'hermes';
const interpreter = '/opt/hermes/.venv/bin/python';
const packageFolder = '/opt/hermes-helmet/src';
const artifactHelper = 'hermes_helmet.native_artifacts';

/**
 * The identity that attachments are recorded under. It is set inside the container, where what the
 * Compose file gives the service would count otherwise.
 */
const actor = ['HERMES_PROFILE=default', 'HERMES_PROFILE_NAME=default'];

const artifactVerbs = new Set(['artifact-upload', 'artifact-list', 'artifact-download']);

/**
 * Decides what `docker` is told, from the adapter's own words (verb first) and its environment. Words
 * after a known verb are passed on untouched, whatever they are: Compose reads no options behind the
 * name of a service. (A62–A65, A67, A69)
 */
export function planDockerCall(
  words: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
): PlannedCall {
  const inside = findContainerCommand(words);
  if (inside === undefined) return { kind: 'refused', code: 'unsupported_verb' };
  const project = environment['COMPOSE_PROJECT_NAME'] ?? '';
  if (project === '' || (environment['COMPOSE_FILE'] ?? '') === '') {
    return { kind: 'refused', code: 'compose_project_unset' };
  }
  return {
    kind: 'call',
    words: ['compose', '-p', project, 'exec', '-T', service, ...inside],
  };
}

function findContainerCommand(words: readonly string[]): string[] | undefined {
  const [verb = '', ...rest] = words;
  if (verb === 'kanban') return ['env', ...actor, 'hermes', 'kanban', ...rest];
  if (!artifactVerbs.has(verb)) return undefined;
  const helper = [interpreter, '-m', artifactHelper, verb];
  return ['env', ...actor, `PYTHONPATH=${packageFolder}`, ...helper, ...rest];
}
