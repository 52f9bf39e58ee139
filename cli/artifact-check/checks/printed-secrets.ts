import { CheckSkipped, ContractBreach, type ConformanceCheck } from '../conformance-check.ts';

/** Looks at all that was printed before it, so it comes last. */
export const printedSecrets: ConformanceCheck = {
  name: 'printed-secrets',
  requirement: 'A60',
  demand: 'nothing that was printed has the value of a variable that is named like a credential',
  check: async (probe) => {
    const { seen, variables } = probe.secrets;
    if (seen.length > 0)
      throw new ContractBreach(`the value of ${seen.join(', ')} was printed on standard output`);
    if (variables === 0)
      throw new CheckSkipped('no variable of the environment is named like a credential');
    await Promise.resolve();
  },
};
