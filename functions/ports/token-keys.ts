/** The secret of one run, from which every token of its attempts derives: an HMAC of the run id under a KMS key. */
export interface TokenKeys {
  deriveRunKey(runId: string): Promise<Uint8Array>;
}
