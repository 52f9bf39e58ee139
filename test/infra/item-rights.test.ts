import { describe, expect, it } from 'vitest';
import { functionNames } from '../../build/function-names.ts';
import { listGrants, listGrantsOf, listItemActions } from './read-policies.ts';
import { render, synthesiseStage } from './synthesise-stage.ts';

const { control, state } = synthesiseStage('deployed');
const allGrants = [...listGrants(control), ...listGrants(state)];
const writes = ['PutItem', 'UpdateItem', 'DeleteItem', 'BatchWriteItem'].map(
  (name) => `dynamodb:${name}`,
);

/** Who may write items of a family, and by what. */
function listWriters(family: string): Record<string, string[]> {
  const writers = functionNames.map((name) => {
    const actions = listItemActions(listGrantsOf(control, name), family);
    const writing = actions.filter((action) => writes.includes(action));
    return [name, writing.map((action) => action.replace('dynamodb:', ''))] as const;
  });
  return Object.fromEntries(writers.filter(([, actions]) => actions.length > 0));
}

describe('rights to items', () => {
  it('name the families of items wherever they reach the table', () => {
    const onTable = allGrants.filter(({ statement }) =>
      statement.Action.some(
        (action) =>
          action.startsWith('dynamodb:') && !render(statement.Resource).includes('/index/'),
      ),
    );
    expect(onTable.length).toBeGreaterThan(20);
    for (const { statement } of onTable) {
      expect(statement.Condition?.['ForAllValues:StringLike']).toHaveProperty([
        'dynamodb:LeadingKeys',
      ]);
    }
  });

  it('never allow a call that names no partition key, which the condition alone would let through', () => {
    const narrowed = allGrants.filter(({ statement }) =>
      render(statement.Condition ?? {}).includes('dynamodb:LeadingKeys'),
    );
    for (const { statement } of narrowed) {
      expect(statement.Condition?.['Null']).toEqual({ 'dynamodb:LeadingKeys': 'false' });
    }
    const actions = allGrants.flatMap(({ statement }) => statement.Action);
    expect(actions).not.toContain('dynamodb:Scan');
    expect(actions).not.toContain('dynamodb:PartiQLSelect');
  });

  it('let run-function read the stop order of its run', () => {
    const grants = listGrantsOf(control, 'run-function');
    expect(listItemActions(grants, 'BOARD')).toContain('dynamodb:BatchGetItem');
  });

  it('E20 let reduce-run alone write the log: others begin a run or raise its generation', () => {
    expect(listWriters('RUN')).toEqual({
      'start-run': ['PutItem'],
      'start-dropped-run': ['PutItem'],
      'reduce-run': ['DeleteItem', 'PutItem', 'UpdateItem'],
      'revive-run': ['UpdateItem'],
      sweep: ['UpdateItem'],
    });
  });

  it('E20 let who has news put a message, and reduce-run alone remove one', () => {
    expect(listWriters('INBOX')).toEqual({
      'start-run': ['PutItem'],
      'start-dropped-run': ['PutItem'],
      'cancel-run': ['PutItem'],
      'reduce-run': ['BatchWriteItem'],
      'admit-attempt': ['PutItem'],
      'close-attempt': ['PutItem'],
      'submit-attempt': ['PutItem'],
      'revive-run': ['PutItem'],
      sweep: ['PutItem'],
    });
  });

  it('E20 let who works for an attempt change its register, and nobody replace or remove one by itself', () => {
    expect(listWriters('ATTEMPT')).toEqual({
      // In a batch, in which it stores what it prepared.
      'reduce-run': ['BatchWriteItem'],
      'launch-attempt': ['UpdateItem'],
      'admit-attempt': ['UpdateItem'],
      'close-attempt': ['UpdateItem'],
      'claim-attempt': ['UpdateItem'],
      'heartbeat-attempt': ['UpdateItem'],
      'submit-attempt': ['UpdateItem'],
    });
  });

  it('let administer-board alone give and take rights; others only place stop orders', () => {
    expect(listWriters('BOARD')).toEqual({
      'cancel-run': ['PutItem'],
      'administer-board': ['DeleteItem', 'PutItem'],
      'revive-run': ['PutItem'],
      sweep: ['PutItem'],
    });
  });

  it('P6 let create-task alone make tasks, and register-attachment alone register bytes from outside', () => {
    expect(listWriters('TASK')).toEqual({ 'create-task': ['PutItem'] });
    expect(listWriters('ATTACHMENT')).toEqual({
      // What nodes deliver, once it is accepted.
      'reduce-run': ['BatchWriteItem'],
      'register-attachment': ['PutItem'],
    });
    expect(listWriters('COUNTER')).toEqual({ 'register-attachment': ['UpdateItem'] });
  });

  it('let logs and inboxes be listed by who folds, shows or sweeps them, and by nobody else', () => {
    const listers = (family: string) =>
      functionNames.filter((name) =>
        listItemActions(listGrantsOf(control, name), family).includes('dynamodb:Query'),
      );
    expect(listers('RUN').sort()).toEqual(['reduce-run', 'show-run', 'sweep']);
    expect(listers('INBOX').sort()).toEqual(['reduce-run', 'sweep']);
    expect(listers('ATTACHMENT').sort()).toEqual([
      'prepare-attachment',
      'register-attachment',
      'show-task',
    ]);
    for (const family of ['ATTEMPT', 'BOARD', 'START', 'TASK']) {
      expect(listers(family)).toEqual([]);
    }
  });
});
