import { ContractBreach, type ConformanceCheck } from '../conformance-check.ts';
import { inventBytes } from '../probe-file.ts';

/** The parts of a name that a shell would turn into something else. */
const shellWords = "$(echo ran)`echo ran`;$HOME&'x'";

export const literalWords: ConformanceCheck = {
  name: 'literal-words',
  requirement: 'A52 A65',
  demand: 'a name full of characters that a shell reads stays a name',
  check: async (probe) => {
    const file = probe.makeFile(`${shellWords}.txt`, inventBytes(64), 'text/plain');
    const record = await probe.attach(file);
    // A store may have its own idea of a clean name; only what a shell makes of this one is a fault.
    const plain = file.name.split('$')[0] ?? '';
    const rest = record.filename.slice(plain.length);
    if (!record.filename.startsWith(plain)) throw new ContractBreach('the name is another one');
    if (/^ran/.test(rest) || !/HOME/.test(rest))
      throw new ContractBreach('a shell has read the name');
  },
};
