import { describe, expect, it } from 'vitest';
import { functionNames } from '../../build/function-names.ts';
import { listGrants, listGrantsOf, listItemActions, listTargets } from './read-policies.ts';
import { listResources, render, synthesiseStage } from './synthesise-stage.ts';

const { control, state } = synthesiseStage('deployed');
const allGrants = [...listGrants(control), ...listGrants(state)];
const writes = ['PutItem', 'UpdateItem', 'DeleteItem', 'BatchWriteItem'].map(
  (name) => `dynamodb:${name}`,
);

/** Actions for which AWS knows no narrower resource than "*". */
const unscoped = new Set([
  'ecs:ListTasks',
  'ecr:GetAuthorizationToken',
  'logs:CreateLogDelivery',
  'logs:GetLogDelivery',
  'logs:UpdateLogDelivery',
  'logs:DeleteLogDelivery',
  'logs:ListLogDeliveries',
  'logs:PutResourcePolicy',
  'logs:DescribeResourcePolicies',
  'logs:DescribeLogGroups',
]);

function namesOf(action: string): string[] {
  return functionNames.filter(
    (name) => listTargets(listGrantsOf(control, name), action).length > 0,
  );
}

describe('permissions', () => {
  it('allow no action by a wildcard', () => {
    expect(allGrants.length).toBeGreaterThan(50);
    const wide = allGrants.flatMap(({ statement }) =>
      statement.Effect === 'Allow' ? statement.Action.filter((each) => each.includes('*')) : [],
    );
    expect(wide).toEqual([]);
  });

  it('name a resource wherever AWS knows one', () => {
    const wide = allGrants
      .filter(({ statement }) => statement.Resource.includes('*'))
      .flatMap(({ statement }) => statement.Action)
      .filter((action) => !unscoped.has(action));
    expect(wide).toEqual([]);
  });

  it('let run-function read its attempt and never write an item', () => {
    const grants = listGrantsOf(control, 'run-function');
    expect(listItemActions(grants, 'ATTEMPT')).toContain('dynamodb:GetItem');
    expect(grants.flatMap(({ Action }) => Action).filter((each) => writes.includes(each))).toEqual(
      [],
    );
    expect(listItemActions(grants, 'RUN')).toEqual([]);
    const folders = listTargets(grants, 's3:PutObject').map(
      (each) => /\/([a-z]+)\/\*/.exec(each)?.[1],
    );
    expect(folders).toEqual(['attempts', 'records', 'responses', 'returns']);
  });

  it('let show-run read and never write', () => {
    const actions = listGrantsOf(control, 'show-run').flatMap(({ Action }) => Action);
    expect(actions).toContain('dynamodb:Query');
    expect(actions.filter((action) => writes.includes(action))).toEqual([]);
    expect(actions.filter((action) => /Put(Object|Item)|Start|Send/.test(action))).toEqual([]);
  });

  it('let check-plan read what a start reads, and write nothing and start nothing', () => {
    const grants = listGrantsOf(control, 'check-plan');
    const actions = grants.flatMap(({ Action }) => Action);
    expect(listTargets(grants, 's3:GetObjectVersion')).toHaveLength(3);
    expect(listItemActions(grants, 'ATTACHMENT')).toContain('dynamodb:GetItem');
    expect(listItemActions(grants, 'START')).toEqual([]);
    expect(actions.filter((action) => writes.includes(action))).toEqual([]);
    expect(actions.filter((action) => /Put(Object|Item)|Start|Send/.test(action))).toEqual([]);
  });

  it('let show-task read and never write', () => {
    const actions = listGrantsOf(control, 'show-task').flatMap(({ Action }) => Action);
    expect(actions).toContain('s3:GetObjectVersion');
    expect(actions.filter((action) => writes.includes(action))).toEqual([]);
    expect(actions.filter((action) => /Put(Object|Item)|Start|Send/.test(action))).toEqual([]);
  });

  it('p30 let prepare-attachment alone write where attachments lie, and register-attachment never', () => {
    const writers = functionNames.filter((name) =>
      listTargets(listGrantsOf(control, name), 's3:PutObject').some((each) =>
        each.includes('/attachments/*'),
      ),
    );
    expect(writers).toEqual(['prepare-attachment']);
    expect(listTargets(listGrantsOf(control, 'register-attachment'), 's3:PutObject')).toEqual([]);
  });

  it('let tokens be derived where one is made or compared, and nowhere else', () => {
    expect(namesOf('kms:GenerateMac')).toEqual([
      'reduce-run',
      'launch-attempt',
      'claim-attempt',
      'heartbeat-attempt',
      'renew-attempt',
      'submit-attempt',
    ]);
  });

  it('let nobody delete an object', () => {
    const deletes = allGrants.flatMap(({ statement }) =>
      statement.Action.filter((action) => action.startsWith('s3:Delete')),
    );
    expect(deletes).toEqual([]);
  });

  it('let claim and renew alone assume the role of attempts', () => {
    expect(namesOf('sts:AssumeRole')).toEqual(['claim-attempt', 'renew-attempt']);
    const [, role] = listResources(control, 'AWS::IAM::Role').find(([id]) =>
      id.includes('AttemptRole'),
    )!;
    const trusted = render(role.Properties['AssumeRolePolicyDocument']);
    expect(trusted).toContain('claimattemptRole');
    expect(trusted).toContain('renewattemptRole');
    expect(trusted).not.toContain(':root');
    expect(role.Properties['MaxSessionDuration']).toBe(3600);
  });

  it('let the credentials of an attempt create objects of attempts and nothing else', () => {
    const ofAttempts = listGrants(control).filter(({ policy }) => policy.includes('AttemptRole'));
    expect(ofAttempts.map(({ statement }) => statement.Action)).toEqual([['s3:PutObject']]);
    expect(render(ofAttempts[0]?.statement.Resource)).toContain('/attempts/*');
  });

  it('let launch-attempt alone start tasks, of these definitions in this cluster', () => {
    expect(namesOf('ecs:RunTask')).toEqual(['launch-attempt']);
    const run = listGrantsOf(control, 'launch-attempt').find(({ Action }) =>
      Action.includes('ecs:RunTask'),
    )!;
    expect(run.Resource).toHaveLength(1);
    expect(render(run.Resource)).toContain('Taskdocumentsv1');
    expect(run.Condition?.['ArnEquals']).toHaveProperty(['ecs:cluster']);
  });

  it('let launch-attempt pass the execution role to ECS, and no other role to anyone', () => {
    expect(namesOf('iam:PassRole')).toEqual(['launch-attempt']);
    const pass = listGrantsOf(control, 'launch-attempt').find(({ Action }) =>
      Action.includes('iam:PassRole'),
    )!;
    expect(render(pass.Resource)).toContain('ExecutionRole');
    expect(pass.Condition).toEqual({
      StringEquals: { 'iam:PassedToService': 'ecs-tasks.amazonaws.com' },
    });
  });

  it('let close-attempt alone stop tasks and attempts, and the sweep runs whose reducer is silent', () => {
    expect(namesOf('ecs:StopTask')).toEqual(['close-attempt']);
    expect(namesOf('states:StopExecution').sort()).toEqual(['close-attempt', 'sweep']);
    expect(
      listTargets(listGrantsOf(control, 'sweep'), 'states:StopExecution').every((each) =>
        each.includes('windlass-run:'),
      ),
    ).toBe(true);
  });

  it('p52 let a task token be answered only by who is told it, at its own workflow', () => {
    const answered = Object.fromEntries(
      namesOf('states:SendTaskSuccess').map((name) => [
        name,
        listTargets(listGrantsOf(control, name as 'sweep'), 'states:SendTaskSuccess').map(
          (target) => /stateMachine:windlass-([a-z-]+)/.exec(target)?.[1],
        ),
      ]),
    );
    expect(answered).toEqual({
      'cancel-run': ['run'],
      'reduce-run': ['run'],
      'launch-attempt': ['attempt-fargate'],
      'admit-attempt': ['run'],
      'close-attempt': ['run'],
      'submit-attempt': ['attempt-fargate', 'run'],
      sweep: ['run'],
    });
  });

  it('p50 let nobody read a history, so that none can decide anything', () => {
    const granted = allGrants.flatMap(({ statement }) => statement.Action);
    const ofWorkflows = granted.filter((action) => action.startsWith('states:'));
    expect([...new Set(ofWorkflows)].sort()).toEqual([
      'states:DescribeExecution',
      'states:SendTaskFailure',
      'states:SendTaskSuccess',
      'states:StartExecution',
      'states:StopExecution',
    ]);
  });

  it('let each workflow call its own functions and nothing else', () => {
    const machines = listResources(control, 'AWS::StepFunctions::StateMachine');
    expect(machines).toHaveLength(5);
    const invoking = listGrants(control).filter(({ statement }) =>
      statement.Action.includes('lambda:InvokeFunction'),
    );
    expect(invoking).toHaveLength(5);
    for (const { statement } of invoking) expect(render(statement.Resource)).not.toContain('*');
  });
});
