/** The bucket into which plans are dropped, and where their answers go. */
export interface PlanDrops {
  /** Undefined when this version is gone. @throws PlanTooLargeError above `limits.planBytes` */
  read(key: string, versionId: string): Promise<string | undefined>;
  /** The answer to a dropped plan, under `outbox/` beside the same key; written once a version. */
  answer(key: string, versionId: string, text: string): Promise<void>;
}
