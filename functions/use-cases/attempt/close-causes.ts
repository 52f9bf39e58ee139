/** The error by which a workflow learns that ECS will not start its task: nothing runs and nothing will. */
export const startRefused = 'StartRefusedError';
