import { problem } from '../../schemas/problem.ts';
import { CommandFailure, reportUnreachable } from '../command-failure.ts';
import { exitCodes } from '../exit-codes.ts';
import { cleanText } from '../output/clean-text.ts';

const longestMessageCharacters = 300;

/**
 * The failure that an answer of 400 or above stands for: a problem document of ours is a refusal; without one the
 * call did not reach Windlass, so a gateway or the signature is to blame.
 */
export function readRefusal(status: number, text: string): CommandFailure {
  const body = parseJson(text);
  const parsed = problem.safeParse(body);
  if (parsed.success) {
    const broken = parsed.data.status >= 500;
    return new CommandFailure({
      exit: broken ? exitCodes.unreachable : exitCodes.refused,
      code: parsed.data.code,
      message: cleanText(parsed.data.detail === '' ? parsed.data.title : parsed.data.detail),
      problem: parsed.data,
    });
  }
  const said = readMessage(body);
  if (status === 401 || status === 403) {
    return reportUnreachable(
      `the call was refused before it reached Windlass (${String(status)})${said}`,
      'check the credentials, the region, the clock of this machine, and that the caller may do execute-api:Invoke on this API',
    );
  }
  return reportUnreachable(
    `the API answered ${String(status)} and no problem document${said}`,
    'check that the URL is the ApiUrl of a Windlass deployment; `windlass doctor` looks at each step',
  );
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** AWS explains a wrong signature by quoting the request, session token included: nothing after that point is kept. */
function readMessage(body: unknown): string {
  if (typeof body !== 'object' || body === null) return '';
  const message =
    (body as Record<string, unknown>)['message'] ?? (body as Record<string, unknown>)['Message'];
  if (typeof message !== 'string') return '';
  const safe = message.split(/\n|The Canonical String|x-amz-security-token/i)[0] ?? '';
  return `: ${cleanText(safe).trim().slice(0, longestMessageCharacters)}`;
}
