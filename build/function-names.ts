/** The Lambda functions: each is a folder of `functions/handlers/`, and its name in the console. */
export const functionNames = [
  'start-run',
  'start-dropped-run',
  'show-run',
  'cancel-run',
  'prepare-upload',
  'administer-board',
  'reduce-run',
  'run-function',
  'launch-attempt',
  'admit-attempt',
  'close-attempt',
  'claim-attempt',
  'heartbeat-attempt',
  'renew-attempt',
  'submit-attempt',
  'revive-run',
  'sweep',
] as const;
export type FunctionName = (typeof functionNames)[number];
