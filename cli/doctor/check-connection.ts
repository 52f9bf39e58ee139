import { connect, type Connection } from '../api/connect.ts';
import { CommandFailure } from '../command-failure.ts';
import { exitCodes } from '../exit-codes.ts';
import type { ConnectionOptions } from '../options/connection-options.ts';
import { chooseTarget, type Target } from '../stack/choose-target.ts';
import { resolveCredentials } from '../stack/resolve-credentials.ts';
import { finds, findsFault, skips, type Finding } from './finding.ts';

/** A board that need not be there: any answer about it shows that the API works. */
const probeBoard = 'windlass-doctor';

interface CheckConnection {
  options: ConnectionOptions;
  board: string | undefined;
  env: NodeJS.ProcessEnv;
  signal: AbortSignal;
}

/** Every step between this command and an answer of the API, in order; what cannot be looked at is skipped. */
export async function checkConnection(check: CheckConnection): Promise<Finding[]> {
  const chosen = await attempt('stack', () => chooseTarget(check.options, check.env));
  if ('fault' in chosen) return [chosen.fault, ...skipAfter('stack')];
  const target = chosen.value;
  const findings = [finds('stack', describeTarget(target))];
  const credentials = await attempt('credentials', async () => {
    return await resolveCredentials(target, check.options.profile, check.env)();
  });
  findings.push(
    'fault' in credentials
      ? credentials.fault
      : finds('credentials', `key ${credentials.value.accessKeyId.slice(0, 4)}…`),
  );
  const connection = await attempt('endpoint', () =>
    connect(check.options, check.env, check.signal),
  );
  if ('fault' in connection) return [...findings, connection.fault, ...skipAfter('endpoint')];
  const endpoint = await attempt('endpoint', () => reachEndpoint(connection.value, check.signal));
  if ('fault' in endpoint) return [...findings, endpoint.fault, ...skipAfter('endpoint')];
  findings.push(finds('endpoint', endpoint.value));
  if ('fault' in credentials) return [...findings, ...skipAfter('endpoint')];
  return [...findings, ...(await checkApi(connection.value, check.board))];
}

async function checkApi(connection: Connection, board: string | undefined): Promise<Finding[]> {
  try {
    await connection.api.listRuns(board ?? probeBoard, undefined);
  } catch (error) {
    if (!(error instanceof CommandFailure) || error.exit === exitCodes.unreachable)
      return [describeFault('api', error), skips('board', 'the API does not answer')];
    return [finds('api', 'answers signed calls'), judgeRefusal(board, error)];
  }
  const api = finds('api', 'answers signed calls');
  return [
    api,
    finds('board', `${board ?? probeBoard}: this caller may READ; other rights were not tried`),
  ];
}

function judgeRefusal(board: string | undefined, refusal: CommandFailure): Finding {
  if (board === undefined) return skips('board', 'give --board, or set WINDLASS_BOARD');
  if (refusal.code === 'BOARD_UNKNOWN')
    return findsFault(
      'board',
      `${board}: there is no such board`,
      `windlass board create ${board}`,
    );
  if (refusal.code === 'NOT_GRANTED')
    return findsFault(
      'board',
      `${board}: this caller may not READ`,
      `whoever holds GRANT: windlass board grant ${board} --principal ARN --allow READ,START,UPLOAD`,
    );
  return describeFault('board', refusal);
}

/** Any HTTP answer will do: what is looked at is the address, the port and the certificate. */
async function reachEndpoint(connection: Connection, signal: AbortSignal): Promise<string> {
  const url = new URL(connection.target.apiUrl);
  try {
    const response = await connection.transport.open({ method: 'GET', url, headers: {}, signal });
    response.resume();
  } catch (error) {
    const text = error instanceof Error && error.message !== '' ? error.message : String(error);
    throw new CommandFailure({
      exit: exitCodes.unreachable,
      code: 'UNREACHABLE',
      message: `${url.host} does not answer: ${text}`,
      fix:
        connection.target.local === undefined
          ? 'check the URL, the network, and NODE_EXTRA_CA_CERTS for a private authority'
          : `run \`windlass local up --name ${connection.target.local.name}\``,
      cause: error,
    });
  }
  return `${url.host} answers${url.protocol === 'https:' ? ' over TLS' : ''}`;
}

async function attempt<T>(
  what: string,
  work: () => Promise<T>,
): Promise<{ value: T } | { fault: Finding }> {
  try {
    return { value: await work() };
  } catch (error) {
    return { fault: describeFault(what, error) };
  }
}

function describeFault(what: string, error: unknown): Finding {
  const text = error instanceof Error ? error.message : String(error);
  const fix = error instanceof CommandFailure ? error.fix : undefined;
  return findsFault(what, text, fix ?? 'run the command again with WINDLASS_DEBUG=1');
}

function describeTarget(target: Target): string {
  const { host } = new URL(target.apiUrl);
  return target.local === undefined
    ? `deployed at ${host}, ${target.region}`
    : `local stack "${target.local.name}" at ${host}`;
}

function skipAfter(step: 'stack' | 'endpoint'): Finding[] {
  const steps = ['credentials', 'endpoint', 'api', 'board'];
  const left = step === 'stack' ? steps : steps.slice(2);
  return left.map((what) => skips(what, `needs what failed before`));
}
