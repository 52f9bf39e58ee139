import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Match } from 'aws-cdk-lib/assertions';
import { describe, expect, it } from 'vitest';
import { functionNames } from '../../build/function-names.ts';
import { variableNames } from '../../infra/constructs/function-environment.ts';
import { emulatorGaps } from '../../infra/stage-config.ts';
import { logMessages } from '../../schemas/log-messages.ts';
import { listResources, render, synthesiseStage } from './synthesise-stage.ts';

const deployed = synthesiseStage('deployed');
const local = synthesiseStage('local');
const functions = listResources(deployed.control, 'AWS::Lambda::Function').map(
  ([, { Properties }]) => Properties,
);

function readVariables(name: string): string[] {
  const found = functions.find((each) => each['FunctionName'] === `windlass-${name}`);
  const environment = found?.['Environment'] as { Variables: Record<string, unknown> };
  return Object.keys(environment.Variables);
}

describe('functions', () => {
  it('are exactly the named ones, with no helper of the CDK among them', () => {
    const names = functions.map((each) => String(each['FunctionName']));
    expect(names.sort()).toEqual(functionNames.map((name) => `windlass-${name}`).sort());
  });

  it.each(functions)(
    'run on Node 24 and log under a name and for a time: $FunctionName',
    (each) => {
      expect(each).toMatchObject({ Runtime: 'nodejs24.x', Architectures: ['arm64'] });
      expect(each['LoggingConfig']).toBeDefined();
      expect(each).not.toHaveProperty('ReservedConcurrentExecutions');
    },
  );

  it('answer a caller of an API before API Gateway gives up after 29 s', () => {
    for (const name of [
      'start-run',
      'check-plan',
      'show-run',
      'cancel-run',
      'show-task',
      'register-attachment',
      'claim-attempt',
      'submit-attempt',
    ]) {
      const found = functions.find((each) => each['FunctionName'] === `windlass-${name}`);
      expect(found?.['Timeout']).toBeLessThan(29);
    }
  });

  it.each(listResources(deployed.control, 'AWS::Logs::LogGroup'))(
    'keep no log for ever: %s',
    (_, { Properties }) => {
      expect(Properties['RetentionInDays']).toBe(90);
    },
  );

  it.each(functionNames)('are told known variables only: %s', (name) => {
    const known: readonly string[] = variableNames;
    expect(readVariables(name).filter((each) => !known.includes(each))).toEqual([]);
  });

  it.each([
    ['run-function', 'WINDLASS_TOKEN_KEY_ARN'],
    ['run-function', 'WINDLASS_RUN_WORKFLOW_ARN'],
    ['show-run', 'WINDLASS_RUN_WORKFLOW_ARN'],
    ['check-plan', 'WINDLASS_RUN_WORKFLOW_ARN'],
    ['reduce-run', 'WINDLASS_ATTEMPT_ROLE_ARN'],
    ['submit-attempt', 'WINDLASS_ATTEMPT_ROLE_ARN'],
  ])('do not tell %s what it does not use: %s', (name, variable) => {
    expect(readVariables(name)).not.toContain(variable);
  });
});

describe('workflows', () => {
  it('p52 log faults without the data of executions', () => {
    const machines = listResources(deployed.control, 'AWS::StepFunctions::StateMachine');
    expect(machines.map(([, { Properties }]) => Properties['StateMachineName'])).toEqual([
      'windlass-run',
      'windlass-attempt-function',
      'windlass-attempt-group',
      'windlass-attempt-fargate',
      'windlass-attempt-close',
    ]);
    for (const [, { Properties }] of machines) {
      expect(Properties['LoggingConfiguration']).toMatchObject({
        IncludeExecutionData: false,
        Level: 'ERROR',
      });
    }
  });
});

describe('events', () => {
  const rules = listResources(deployed.control, 'AWS::Events::Rule').map(
    ([, each]) => each.Properties,
  );
  interface Target {
    Arn: unknown;
    DeadLetterConfig?: unknown;
    InputTransformer?: { InputPathsMap: Record<string, string>; InputTemplate: string };
  }
  const find = (description: string) => {
    const rule = rules.find((each) => each['Description'] === description)!;
    return { pattern: rule['EventPattern'], target: (rule['Targets'] as Target[])[0]! };
  };

  it('p6 start a run for what is stored under inbox/, and for nothing under outbox/', () => {
    const { pattern, target } = find('A plan was dropped into the inbox');
    expect(pattern).toMatchObject({
      source: ['aws.s3'],
      'detail-type': ['Object Created'],
      detail: { object: { key: [{ prefix: 'inbox/' }] } },
    });
    expect(render(target.Arn)).toContain('startdroppedrun');
  });

  it('p19 notice that a workflow was stopped by hand', () => {
    const { pattern, target } = find('The workflow of a run ended before the run did');
    expect(pattern).toMatchObject({ detail: { status: ['ABORTED', 'TIMED_OUT'] } });
    expect(render(target.Arn)).toContain('reviverun');
  });

  it.each([
    ['The workflow of an attempt was stopped or failed', ['$.detail.name', '$.detail.status']],
    ['The Fargate task of an attempt stopped', ['$.detail.startedBy']],
  ])('p10 p42 close an attempt and pass on ids only: %s', (description, paths) => {
    const { target } = find(description);
    expect(render(target.Arn)).toContain('attemptclose');
    expect(Object.values(target.InputTransformer?.InputPathsMap ?? {})).toEqual(paths);
  });

  it('p10 close an attempt for a stopped task of this cluster and of an attempt only', () => {
    const { pattern } = find('The Fargate task of an attempt stopped');
    expect(pattern).toMatchObject({
      detail: { lastStatus: ['STOPPED'], startedBy: [{ prefix: 'att_' }] },
    });
    expect(render(pattern)).toContain('ExecutorsCluster');
  });

  it('p17 sweep every minute', () => {
    expect(rules.map((each) => each['ScheduleExpression']).filter(Boolean)).toEqual([
      'rate(1 minute)',
    ]);
  });

  it('p8 keep a dropped plan on which the function throws, and nothing else needs that', () => {
    const kept = listResources(deployed.control, 'AWS::Lambda::EventInvokeConfig');
    expect(kept).toHaveLength(1);
    const text = render(kept[0]?.[1].Properties);
    expect(text).toContain('BoardFunctionsstartdroppedrun');
    expect(text).toMatch(/"OnFailure":\{"Destination":\{"Fn::GetAtt":\["DeadEventsQueue/);
  });

  it('p8 keep what could not be delivered, and alarm', () => {
    const kept = rules
      .filter((each) => each['ScheduleExpression'] === undefined)
      .map((each) => (each['Targets'] as Target[])[0]?.DeadLetterConfig);
    expect(kept).toHaveLength(5);
    for (const each of kept) expect(each).toBeDefined();
    deployed.control.hasResourceProperties('AWS::CloudWatch::Alarm', {
      AlarmName: 'windlass-event-not-delivered',
      MetricName: 'ApproximateNumberOfMessagesVisible',
      Dimensions: [Match.objectLike({ Name: 'QueueName' })],
    });
  });
});

describe('the view of an operator', () => {
  const listProperties = (type: string) =>
    listResources(deployed.control, type).map(([, { Properties }]) => Properties);

  it('has these alarms, each on its own metric', () => {
    const alarms = listProperties('AWS::CloudWatch::Alarm').map((each) => [
      String(each['AlarmName']).replace('windlass-', ''),
      `${String(each['Namespace'])} ${String(each['MetricName'])}`,
      render(each['Dimensions'] ?? null),
    ]);
    const expected: [name: string, metric: string, of: string][] = [
      ['event-not-delivered', 'AWS/SQS ApproximateNumberOfMessagesVisible', 'DeadEvents'],
      ['run-workflow-failed', 'AWS/States ExecutionsFailed', 'Workflowsrun'],
      ['stop-not-confirmed', 'AWS/States ExecutionsFailed', 'Workflowsattemptclose'],
      ['sweep-failed', 'AWS/Lambda Errors', 'RunFunctionssweep'],
      ['api-failed', 'AWS/ApiGateway 5XXError', '"windlass-api"'],
      ['executor-api-failed', 'AWS/ApiGateway 5XXError', '"windlass-executor-api"'],
      ['run-function-failed', 'AWS/Lambda Errors', 'AttemptFunctionsrunfunction'],
      ['admit-attempt-failed', 'AWS/Lambda Errors', 'AttemptFunctionsadmitattempt'],
      ['attempt-left-group', 'windlass/attempts LeftGroup', 'null'],
    ];
    expect(alarms.map(([name, metric]) => [name, metric]).sort()).toEqual(
      expected.map(([name, metric]) => [name, metric]).sort(),
    );
    for (const [name, , of] of expected) {
      expect(alarms.find((each) => each[0] === name)?.[2], name).toContain(of);
    }
  });

  it('has a section in the runbook for each alarm', () => {
    const alarms = listProperties('AWS::CloudWatch::Alarm').map((each) =>
      String(each['AlarmName']).replace('windlass-', ''),
    );
    const runbook = readFileSync(join(import.meta.dirname, '../../docs/operate.md'), 'utf8');
    const [, section = ''] = /^## Alarms\n([^]*?)^## /m.exec(runbook) ?? [];
    const described = [...section.matchAll(/^### (.*)$/gm)].map(([, name]) => name);
    expect(alarms.sort()).toEqual(described.sort());
  });

  it('counts each attempt that a fault took out of its group, by the words that are logged then', () => {
    const filters = listProperties('AWS::Logs::MetricFilter');
    const pattern = `{ $.message = "${logMessages.leftGroup}" }`;
    expect(filters.map((each) => each['FilterPattern'])).toEqual([pattern, pattern]);
    for (const { MetricTransformations: counted } of filters) {
      expect(counted).toEqual([
        { MetricNamespace: 'windlass/attempts', MetricName: 'LeftGroup', MetricValue: '1' },
      ]);
    }
  });

  it('shows the errors of every function of the stack', () => {
    const [dashboard] = listProperties('AWS::CloudWatch::Dashboard');
    const body = render(dashboard);
    for (const [id] of listResources(deployed.control, 'AWS::Lambda::Function')) {
      expect(body).toContain(`"Ref":"${id}"`);
    }
  });
});

describe('stages', () => {
  it('brings no resource of the CDK itself that has rights of its own', () => {
    for (const template of [deployed.state, deployed.control, local.state, local.control]) {
      const custom = listResources(template).filter(([, { Type }]) => Type.startsWith('Custom::'));
      expect(custom).toEqual([]);
    }
  });

  it('differ in the resource types that the emulator lacks, and in no other', () => {
    const typesOf = (stage: typeof local) =>
      new Set(
        [stage.state, stage.control].flatMap((template) =>
          listResources(template).map(([, { Type }]) => Type),
        ),
      );
    const locally = typesOf(local);
    expect([...typesOf(deployed)].filter((type) => !locally.has(type)).sort()).toEqual([
      'AWS::EC2::FlowLog',
      'AWS::Route53Resolver::FirewallDomainList',
      'AWS::Route53Resolver::FirewallRuleGroup',
      'AWS::Route53Resolver::FirewallRuleGroupAssociation',
    ]);
    expect(emulatorGaps.length).toBeGreaterThan(0);
  });

  it('give the launcher these outputs', () => {
    expect(Object.keys(local.control.toJSON()['Outputs'] as object)).toEqual(
      expect.arrayContaining([
        ...['ApiUrl', 'ExecutorApiUrl', 'TableName', 'ArtifactBucket', 'DropBucket', 'ClusterArn'],
        ...['RunWorkflowArn', 'FunctionWorkflowArn', 'FargateWorkflowArn', 'CloseWorkflowArn'],
      ]),
    );
  });
});
