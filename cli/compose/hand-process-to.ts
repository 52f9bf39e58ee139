/**
 * Makes this process the program named, found on PATH: the same process id, group, streams and
 * working folder, so that an exit status, a signal and every byte reach whoever started us with
 * nothing in between. It does not come back.
 *
 * It goes by way of env(1), which looks the program up and ends with 127 when it is not there and
 * with 126 when it cannot be run. execve(2) would leave both to us, and a failed one aborts Node 24.
 */
export function handProcessTo(program: string, words: readonly string[]): never {
  // Node ignores these two, and what is ignored stays so in the next program; what is handled does not.
  for (const signal of ['SIGPIPE', 'SIGXFSZ'] as const) process.on(signal, () => undefined);
  if (process.execve === undefined) throw new Error('this system cannot replace a process');
  return process.execve('/usr/bin/env', ['env', program, ...words], process.env);
}
