/** Tells operators of a fault that costs an attempt its place in the group and nothing else. */
export interface ReportFault {
  reportFault: (attemptId: string, error: unknown) => void;
}
