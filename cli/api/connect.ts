import type { ConnectionOptions } from '../options/connection-options.ts';
import { chooseTarget, type Target } from '../stack/choose-target.ts';
import { resolveCredentials } from '../stack/resolve-credentials.ts';
import { createApiCaller } from './call-api.ts';
import { createTransport, type Transport } from './send-request.ts';
import { createSigner } from './sign-request.ts';
import { createWindlassApi, type WindlassApi } from './windlass-api.ts';

export interface Connection {
  target: Target;
  transport: Transport;
  api: WindlassApi;
}

/** Wires target, credentials, transport and signature into one connection. Nothing is sent yet. */
export async function connect(
  options: ConnectionOptions,
  env: NodeJS.ProcessEnv,
  signal?: AbortSignal,
): Promise<Connection> {
  const target = await chooseTarget(options, env);
  const transport = createTransport(target.certificate);
  const credentials = resolveCredentials(target, options.profile, env);
  const call = createApiCaller({
    apiUrl: target.apiUrl,
    transport,
    sign: createSigner(target.region, credentials),
    reachAdvice:
      target.local === undefined
        ? 'check the network and the URL; `windlass doctor` looks at each step'
        : `run \`windlass local up --name ${target.local.name}\``,
    signal,
  });
  return { target, transport, api: createWindlassApi(call) };
}
