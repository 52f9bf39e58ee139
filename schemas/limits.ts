/**
 * Every limit that Windlass imposes by itself, with its unit last in the name. A test trips each one.
 * Limits of AWS services that these stay below are named beside them.
 */
export const limits = {
  /** Nodes of a plan after `for_each` is expanded. */
  planNodes: 10_000,
  /** Dependencies of one node: bindings and `after` together. */
  nodeEdges: 256,
  /** Dependencies of all nodes together, after `for_each` is expanded. */
  planEdges: 100_000,
  /** All nodes after `for_each` is expanded, as JSON. */
  expandedPlanBytes: 32 * 1024 * 1024,
  /** A plan document as it is sent or dropped. */
  planBytes: 5 * 1024 * 1024,
  /** A plan in the body of `POST runs`; API Gateway takes 10 MB, Lambda 6 MB. */
  planBodyBytes: 2 * 1024 * 1024,
  /** How deep lists and objects of a plan document may lie in each other. */
  documentDepth: 64,
  /** Values of a plan document, those that aliases repeat included. */
  documentValues: 1_000_000,
  /** Files that one run takes in. */
  runInputFiles: 1_000,
  /** Time for which a presigned link, to write or to read, works. */
  linkSeconds: 900,
  /** An attachment or a run input. */
  attachmentBytes: 25 * 1024 * 1024,
  /** The title of a task. */
  taskTitleCharacters: 200,
  /** Tasks that one page of a listing holds. */
  taskPageTasks: 50,
  /** Attachments that one page of a listing holds. */
  attachmentPageRecords: 100,
  /** Stored bytes that one page of a listing reads and hashes, unless its first attachment alone has more. API Gateway waits 29 s. */
  attachmentPageBytes: 128 * 1024 * 1024,
  /** Deliverables that one page of a listing holds: each has a link of up to two KB, and Lambda answers with 6 MB. */
  deliverablePageFiles: 500,
  /** One output of a node. */
  outputBytes: 25 * 1024 * 1024,
  /** Outputs of one node: one inbox message tells all of them. */
  nodeOutputs: 8,
  /** Names, media types and file names of one node's outputs together, as JSON; for the same message. */
  nodeOutputNameBytes: 1_100,
  /** The parameters of one node, as canonical JSON. */
  nodeParamsBytes: 32 * 1024,
  /** Inbox messages that one commit takes. */
  commitMessages: 90,
  /** Attempts of quick functions that one workflow execution runs. A group's settlement is one transaction of twice as many items. */
  groupAttempts: 8,
  /** Time after which a group starts no further attempt; each one that is left runs alone. */
  groupMilliseconds: 5_000,
  /** Wall time of a group's call. Attempts with less than twice this time do not join one: each must still be able to run alone. */
  groupTimeoutSeconds: 30,
  /** Attempts that one commit prepares. */
  commitAttempts: 40,
  /** Nodes that one commit skips; a run that is cancelled early settles the rest in further commits. */
  commitSkippedNodes: 1_000,
  /** Events of one commit kept inside the log item; beyond that they go to S3. A DynamoDB item holds 400 KB. */
  logItemEventsBytes: 200 * 1024,
  /** One inbox message. */
  messageBytes: 4 * 1024,
  /** Input or output of a workflow state. Step Functions takes 256 KB. */
  statePayloadBytes: 8 * 1024,
  /** History events after which a run workflow hands over to the next generation. Step Functions ends at 25,000. */
  generationHistoryEvents: 10_000,
  /** Attempts that a run may have live at once unless its policy says less. */
  runParallelism: 40,
  /** Attempts of one action that count. */
  actionAttempts: 10,
  /** Attempts of one action that never came up. They do not count as attempts. */
  actionStartFailures: 5,
  /** Wall time of one attempt. */
  attemptTimeoutSeconds: 3_600,
  /** Wall time of one attempt by a function. Lambda ends after 900 seconds, and the result has to be stored before. */
  functionTimeoutSeconds: 890,
  /** From RunTask to the courier's claim. */
  startDeadlineSeconds: 180,
  /** Time a courier may be silent. */
  leaseSeconds: 60,
  /** Distance between two heartbeats of a courier. */
  heartbeatSeconds: 10,
  /** Life of an attempt's credentials. Role chaining ends at one hour. */
  credentialSeconds: 3_600,
  /** How far an executor's clock may stand from ours before its times are refused. */
  clockSkewSeconds: 5,
  /** From RunTask until ECS must know the task; only after that MISSING means gone (p46). */
  taskVisibleSeconds: 60,
  /** A function's response and record together, as canonical JSON, kept in the workflow's state; beyond that they are stored. */
  inlineReturnBytes: 6 * 1024,
  /** The body of a courier's call: a response and a record, never bytes of an output. */
  courierCallBytes: 1024 * 1024,
  /** Time that admission may take. */
  admissionSeconds: 10,
  /** From an attempt's hard deadline to the moment the run closes it by itself. */
  closeGraceSeconds: 60,
  /** Longest wait before the next try of an action. */
  backOffSeconds: 60,
  /** From a cancel to the moment no task is left. */
  cancelSeconds: 90,
  /** Longest that Drive waits parked before it looks again by itself. */
  parkSeconds: 3_600,
  /** Time Drive lingers to take several answers in one commit, while two or more attempts run. */
  lingerMilliseconds: 250,
  /** Longest text of an error detail that is stored. */
  detailCharacters: 500,
  /** Faults that one refusal lists; the count of the rest is given. */
  refusalFaults: 200,
} as const;

export type LimitName = keyof typeof limits;
