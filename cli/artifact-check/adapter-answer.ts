import { adapterStatus } from '../adapter-status.ts';
import type { AdapterEnd } from '../artifact/adapter/run-adapter.ts';
import { ContractBreach } from './conformance-check.ts';

/** How one call of the adapter ended, and what it printed. */
export interface AdapterAnswer {
  end: AdapterEnd;
  output: Buffer;
}

/** @throws ContractBreach when the call ended in any other way */
export function expectStatus(
  answer: AdapterAnswer,
  statuses: readonly number[],
  what: string,
): void {
  if (answer.end.kind === 'EXITED' && statuses.includes(answer.end.status)) return;
  const wanted = statuses.map((status) => `status ${String(status)}`).join(' or ');
  const absent = answer.end.kind === 'EXITED' && answer.end.status === adapterStatus.absent;
  const doubt = absent ? '; is there such a task on that board?' : '';
  throw new ContractBreach(`${what} ${describeEnd(answer.end)} instead of ${wanted}${doubt}`);
}

function describeEnd(end: AdapterEnd): string {
  switch (end.kind) {
    case 'EXITED':
      return `ended with status ${String(end.status)}`;
    case 'KILLED':
      return 'was ended by a signal';
    case 'OVERFLOWED':
      return 'printed more than it may';
    case 'TIMED_OUT':
      return 'did not end in time';
    case 'STOPPED':
      return 'was interrupted';
    case 'UNAVAILABLE':
      return 'could not be started';
  }
}
