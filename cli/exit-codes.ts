/** What each exit status of `windlass` says; printed by `windlass --help`. */
export const exitCodes = {
  /** The command did what it was asked. */
  ok: 0,
  /** The answer is no: refused by the API, a check failed, bytes that do not match. */
  refused: 1,
  /** The command line is wrong, or names a file that is not there or cannot be read. */
  usage: 2,
  /** The API cannot be reached, or there are no usable credentials. */
  unreachable: 3,
  /** The run that was watched has ended, and not as SUCCEEDED. */
  runNotSucceeded: 4,
  /** A fault of the program itself; `EX_SOFTWARE` of sysexits.h. */
  internal: 70,
} as const;

/** The signals at which a command tidies up and ends, each with the status by which shells report it: 128 and its number. */
export const signalExitCodes = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 } as const;

export type EndingSignal = keyof typeof signalExitCodes;
export const endingSignals = Object.keys(signalExitCodes) as EndingSignal[];

export type ExitCode =
  (typeof exitCodes)[keyof typeof exitCodes] | (typeof signalExitCodes)[EndingSignal];

export const exitCodeHelp = `
Exit status:
  0    done
  1    refused or failed: the API said no, a check failed, bytes do not match
  2    wrong command line, or a file it names is not there or cannot be read
  3    the API cannot be reached, or there are no usable credentials
  4    the watched run ended FAILED or CANCELLED (run watch, run start --watch)
  70   a fault of windlass itself
  129  interrupted by SIGHUP
  130  interrupted by SIGINT (Ctrl-C)
  143  interrupted by SIGTERM`;
