import type { ConformanceCheck } from '../conformance-check.ts';

/** The first of all: an adapter that cannot list can be asked nothing else. */
export const listing: ConformanceCheck = {
  name: 'listing',
  requirement: 'A53 A55',
  demand: 'artifact-list ends with status 0 and prints one JSON array of whole records',
  check: async (probe) => {
    await probe.listRecords();
  },
};
