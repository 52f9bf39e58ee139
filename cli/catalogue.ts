import type { Command } from 'commander';

interface Verb {
  summary: string;
  /** Loads the one file of the command, so that help and version wait for none of them. */
  load: () => Promise<{ defineCommand: (command: Command) => void }>;
}

interface Group {
  summary: string;
  verbs: Record<string, Verb>;
}

/** Every command, in the order of help. */
export const groups: Record<string, Group> = {
  run: {
    summary: 'start runs, watch them, stop them, fetch what they made',
    verbs: {
      start: {
        summary: 'start a run of a plan',
        load: () => import('./commands/run/start.ts'),
      },
      watch: {
        summary: 'watch a run until it ends',
        load: () => import('./commands/run/watch.ts'),
      },
      status: {
        summary: 'show where a run stands',
        load: () => import('./commands/run/status.ts'),
      },
      list: { summary: 'list the runs of a board', load: () => import('./commands/run/list.ts') },
      events: { summary: 'print the log of a run', load: () => import('./commands/run/events.ts') },
      cancel: {
        summary: 'stop a run and wait until everything of it has stopped',
        load: () => import('./commands/run/cancel.ts'),
      },
      download: {
        summary: 'fetch the deliverables of a run, verified',
        load: () => import('./commands/run/download.ts'),
      },
      explain: {
        summary: 'say why a node got its executor',
        load: () => import('./commands/run/explain.ts'),
      },
    },
  },
  artifact: {
    summary: 'hand documents to a task, and bring its deliverables back',
    verbs: {
      upload: {
        summary: 'attach the exact bytes of a file to a task',
        load: () => import('./commands/artifact/upload.ts'),
      },
      list: {
        summary: 'list the references that a task carries',
        load: () => import('./commands/artifact/list.ts'),
      },
      download: {
        summary: 'fetch the exact bytes of one revision, verified',
        load: () => import('./commands/artifact/download.ts'),
      },
      'check-adapter': {
        summary: 'check an adapter against its contract',
        load: () => import('./commands/artifact/check-adapter.ts'),
      },
    },
  },
  board: {
    summary: 'make boards and say who may use them',
    verbs: {
      create: { summary: 'create a board', load: () => import('./commands/board/create.ts') },
      grant: {
        summary: 'say what a role or user may do on a board',
        load: () => import('./commands/board/grant.ts'),
      },
    },
  },
  task: {
    summary: 'make tasks, on which documents are handed in and out',
    verbs: {
      create: { summary: 'make a task', load: () => import('./commands/task/create.ts') },
      list: { summary: 'list the tasks of a board', load: () => import('./commands/task/list.ts') },
      show: { summary: 'show a task', load: () => import('./commands/task/show.ts') },
    },
  },
  plan: {
    summary: 'check plans without starting them',
    verbs: {
      check: {
        summary: 'check the form of a plan, or with a board all that a start checks',
        load: () => import('./commands/plan/check.ts'),
      },
      schema: {
        summary: 'print the JSON Schema of plans',
        load: () => import('./commands/plan/schema.ts'),
      },
    },
  },
  local: {
    summary: 'keep a whole Windlass on this machine',
    verbs: {
      up: { summary: 'start a local stack', load: () => import('./commands/local/up.ts') },
      deploy: {
        summary: 'deploy changed code into a local stack that is up',
        load: () => import('./commands/local/deploy.ts'),
      },
      down: {
        summary: 'stop a local stack and all it started',
        load: () => import('./commands/local/down.ts'),
      },
      status: {
        summary: 'say whether a local stack is up',
        load: () => import('./commands/local/status.ts'),
      },
      env: {
        summary: 'print the variables that point any AWS tool at a local stack',
        load: () => import('./commands/local/env.ts'),
      },
    },
  },
};

/** Commands of one word. */
export const singles: Record<string, Verb> = {
  doctor: {
    summary: 'look at everything a command needs, and say how to mend what is missing',
    load: () => import('./commands/doctor.ts'),
  },
};
