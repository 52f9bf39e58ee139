import { readFile } from 'node:fs/promises';
import { refuseUsage, reportUnreachable } from '../command-failure.ts';
import { isLocalUrl } from './check-local-url.ts';
import {
  defaultStackName,
  listLocalStacks,
  readLocalStack,
  type LocalStack,
} from './read-local-stack.ts';
import { locateStateFolder } from './repository-root.ts';

/** The API to talk to, and what to trust. */
export interface Target {
  apiUrl: string;
  region: string;
  /** PEM text of the only authority to trust; undefined for the system's own. */
  certificate: string | undefined;
  /** Undefined for a deployed stack. */
  local: LocalStack | undefined;
}

interface TargetOptions {
  stack?: string | undefined;
  apiUrl?: string | undefined;
  region?: string | undefined;
}

/**
 * `--stack`, else `--api-url`, else WINDLASS_STACK, else WINDLASS_API_URL, else the local stack `default` if it is up.
 * Throws UNREACHABLE with the next step when none of them is there.
 */
export async function chooseTarget(
  options: TargetOptions,
  env: NodeJS.ProcessEnv,
): Promise<Target> {
  const folder = locateStateFolder(env);
  const named = options.stack ?? (options.apiUrl === undefined ? env['WINDLASS_STACK'] : undefined);
  if (named !== undefined && named !== '') {
    const stack = await readLocalStack(folder, named);
    if (stack !== undefined) return await describeLocal(stack);
    throw reportUnreachable(
      `the local stack "${named}" is not up`,
      `run \`windlass local up --name ${named}\``,
    );
  }
  const apiUrl = options.apiUrl ?? env['WINDLASS_API_URL'];
  if (apiUrl !== undefined && apiUrl !== '') return describeDeployed(apiUrl, options.region, env);
  const stack = await readLocalStack(folder, defaultStackName);
  if (stack !== undefined) return await describeLocal(stack);
  const others = await listLocalStacks(folder);
  throw reportUnreachable(
    `no API to talk to: no --stack, no --api-url, no WINDLASS_API_URL, and no local stack named ${defaultStackName} is up`,
    others.length > 0
      ? `give ${others.map((name) => `--stack ${name}`).join(' or ')}, which is up`
      : 'run `windlass local up`, or set WINDLASS_API_URL to the ApiUrl output of your deployment',
  );
}

async function describeLocal(stack: LocalStack): Promise<Target> {
  if (stack.apiUrl === undefined) {
    throw reportUnreachable(
      `the local stack "${stack.name}" runs, but nothing is deployed into it`,
      `run \`windlass local up --name ${stack.name}\` again`,
    );
  }
  const certificate =
    stack.certificateFile === undefined
      ? undefined
      : await readFile(stack.certificateFile, 'utf8').catch((error: unknown) => {
          throw reportUnreachable(
            `the certificate of the local stack "${stack.name}" cannot be read`,
            `run \`windlass local down --name ${stack.name}\`, then up again`,
            error,
          );
        });
  return { apiUrl: stack.apiUrl, region: stack.region, certificate, local: stack };
}

function describeDeployed(
  text: string,
  regionOption: string | undefined,
  env: NodeJS.ProcessEnv,
): Target {
  const url = URL.parse(text);
  if (url === null) throw refuseUsage(`the API URL "${text}" is not a URL`);
  if (url.username !== '' || url.password !== '') {
    throw refuseUsage('the API URL holds a user name or password', 'leave it out of the URL');
  }
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && isLocalUrl(url))) {
    throw refuseUsage(`the API URL must begin with https:// (it begins with ${url.protocol}//)`);
  }
  const region =
    regionOption ??
    /\.execute-api\.([a-z0-9-]+)\.amazonaws\.com(\.cn)?$/.exec(url.hostname)?.[1] ??
    env['AWS_REGION'] ??
    env['AWS_DEFAULT_REGION'];
  if (region === undefined || region === '') {
    throw refuseUsage(
      'the region of the API cannot be told from its URL',
      'give --region, or set AWS_REGION',
    );
  }
  return { apiUrl: url.href, region, certificate: undefined, local: undefined };
}
