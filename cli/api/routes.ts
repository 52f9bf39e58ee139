/** Paths of the public API below its base URL. Every part is a checked name, and is encoded all the same. */
export const routes = {
  board: (board: string) => join('boards', board),
  grants: (board: string) => join('boards', board, 'grants'),
  uploads: (board: string) => join('boards', board, 'uploads'),
  tasks: (board: string) => join('boards', board, 'tasks'),
  task: (board: string, task: string) => join('boards', board, 'tasks', task),
  attachmentUploads: (board: string, task: string) =>
    join('boards', board, 'tasks', task, 'uploads'),
  attachments: (board: string, task: string) => join('boards', board, 'tasks', task, 'attachments'),
  attachment: (board: string, task: string, attachment: number) =>
    join('boards', board, 'tasks', task, 'attachments', String(attachment)),
  planChecks: (board: string) => join('boards', board, 'plan-checks'),
  runs: (board: string) => join('boards', board, 'runs'),
  run: (board: string, run: string) => join('boards', board, 'runs', run),
  events: (board: string, run: string) => join('boards', board, 'runs', run, 'events'),
  node: (board: string, run: string, node: string) =>
    join('boards', board, 'runs', run, 'nodes', node),
  deliverables: (board: string, run: string) => join('boards', board, 'runs', run, 'deliverables'),
  cancel: (board: string, run: string) => join('boards', board, 'runs', run, 'cancel'),
};

function join(...parts: string[]): string {
  return `/${parts.map((part) => encodeURIComponent(part)).join('/')}`;
}
