/** Where a sleeping run workflow left its task token. The token never leaves the control plane (p52). */
export interface ParkedWorkflow {
  runId: string;
  generation: number;
  call: number;
  token: string;
  /** The head's seq that the workflow last saw. */
  seq: number;
}

export interface Park {
  /** REFUSED when the head has moved past `seq`, the generation is over, or a later call is parked. */
  store(parked: ParkedWorkflow): Promise<'PARKED' | 'REFUSED'>;
  /** Strongly consistent. A sender answers the token and never removes it: the next commit does. */
  read(runId: string): Promise<ParkedWorkflow | undefined>;
}
