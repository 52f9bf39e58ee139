import { access, readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import { refuseUsage, reportUnreachable } from '../command-failure.ts';
import { checkLocalUrl } from './check-local-url.ts';

export const defaultStackName = 'default';

/** What a client needs of a local stack. Fields that only the stack's own programs use are left out. */
export interface LocalStack {
  name: string;
  endpoint: string;
  region: string;
  /** PEM file of the one certificate to trust; undefined when the stack speaks plain HTTP. */
  certificateFile: string | undefined;
  accessKeyId: string;
  secretAccessKey: string;
  /** Base URL of the public API, on this machine; undefined before the stack is deployed. */
  apiUrl: string | undefined;
}

/** The fields read; any other is ignored, as the file belongs to the stack's own programs. */
const stateFile = z.object({
  endpoint: z.url(),
  region: z.string().min(1),
  certificate: z.string().min(1).optional(),
  accessKeyId: z.string().min(1),
  secretAccessKey: z.string().min(1),
  /** CloudFormation outputs by stack name; the addresses in them are the local ones. */
  outputs: z.record(z.string(), z.record(z.string(), z.string())).optional(),
});

/** Names of the local stacks that have a state file, in order. */
export async function listLocalStacks(stateFolder: string): Promise<string[]> {
  const folder = path.join(stateFolder, 'stacks');
  const names = await readdir(folder).catch(() => []);
  const up = await Promise.all(
    names.map((name) =>
      access(path.join(folder, name, 'state.json')).then(
        () => [name],
        () => [],
      ),
    ),
  );
  return up.flat().sort();
}

/** Undefined when the stack is not up. Throws when its name is not one, or its state file is damaged. */
export async function readLocalStack(
  stateFolder: string,
  name: string,
): Promise<LocalStack | undefined> {
  if (!/^[a-z0-9](?:[a-z0-9-]{0,30}[a-z0-9])?$/.test(name)) {
    throw refuseUsage(
      `stack name "${name}" is not valid`,
      'use 1 to 32 lower-case letters, digits and hyphens',
    );
  }
  const file = path.join(stateFolder, 'stacks', name, 'state.json');
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  });
  if (text === undefined) return undefined;
  const state = parseState(text, file, name);
  checkLocalUrl('the endpoint of the local stack', state.endpoint);
  const apiUrl = findApiUrl(state.outputs ?? {});
  if (apiUrl !== undefined) checkLocalUrl('the API of the local stack', apiUrl);
  return {
    name,
    endpoint: state.endpoint,
    region: state.region,
    certificateFile: state.certificate,
    accessKeyId: state.accessKeyId,
    secretAccessKey: state.secretAccessKey,
    apiUrl,
  };
}

function parseState(text: string, file: string, name: string): z.infer<typeof stateFile> {
  try {
    return stateFile.parse(JSON.parse(text));
  } catch (error) {
    // The parser's own message can quote the file, which holds a key.
    const fields =
      error instanceof z.ZodError
        ? error.issues.map((issue) => issue.path.join('.')).join(', ')
        : 'it is not JSON';
    throw reportUnreachable(
      `${file} is damaged: ${fields}`,
      `run \`windlass local down --name ${name}\` and \`windlass local up --name ${name}\``,
    );
  }
}

function findApiUrl(outputs: Record<string, Record<string, string>>): string | undefined {
  return Object.values(outputs)
    .map((values) => values['ApiUrl'])
    .find((value) => value !== undefined);
}
