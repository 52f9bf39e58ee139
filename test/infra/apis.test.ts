import { Match } from 'aws-cdk-lib/assertions';
import { describe, expect, it } from 'vitest';
import { listResources, render, synthesiseStage } from './synthesise-stage.ts';

const { control } = synthesiseStage('deployed');
const resources = new Map(listResources(control, 'AWS::ApiGateway::Resource'));
const methods = listResources(control, 'AWS::ApiGateway::Method').map(([id, { Properties }]) => ({
  api: id.startsWith('PublicApi') ? 'public' : 'executor',
  route: `${String(Properties['HttpMethod'])} ${resolvePath(Properties['ResourceId'])}`,
  authorization: Properties['AuthorizationType'],
  target: /windlass|[A-Z][A-Za-z]+Functions[a-z]+/.exec(render(Properties['Integration']))?.[0],
  models: Properties['RequestModels'],
}));
const ofPublic = methods.filter(({ api }) => api === 'public');
const ofExecutors = methods.filter(({ api }) => api === 'executor');

function resolvePath(resourceId: unknown): string {
  const id = (resourceId as { Ref?: string }).Ref;
  const found = id === undefined ? undefined : resources.get(id)?.Properties;
  if (found === undefined) return '';
  return `${resolvePath(found['ParentId'])}/${String(found['PathPart'])}`;
}

describe('public API', () => {
  it('serves exactly these routes', () => {
    expect(ofPublic.map(({ route, target }) => `${route} ${String(target)}`).sort()).toEqual([
      'GET /boards/{board}/runs BoardFunctionsshowrun',
      'GET /boards/{board}/runs/{run} BoardFunctionsshowrun',
      'GET /boards/{board}/runs/{run}/deliverables BoardFunctionsshowrun',
      'GET /boards/{board}/runs/{run}/events BoardFunctionsshowrun',
      'GET /boards/{board}/runs/{run}/nodes/{node} BoardFunctionsshowrun',
      'GET /boards/{board}/tasks TaskFunctionsshowtask',
      'GET /boards/{board}/tasks/{task} TaskFunctionsshowtask',
      'GET /boards/{board}/tasks/{task}/attachments TaskFunctionsshowtask',
      'GET /boards/{board}/tasks/{task}/attachments/{attachment} TaskFunctionsshowtask',
      'POST /boards/{board}/plan-checks BoardFunctionscheckplan',
      'POST /boards/{board}/runs BoardFunctionsstartrun',
      'POST /boards/{board}/runs/{run}/cancel BoardFunctionscancelrun',
      'POST /boards/{board}/tasks TaskFunctionscreatetask',
      'POST /boards/{board}/tasks/{task}/attachments TaskFunctionsregisterattachment',
      'POST /boards/{board}/tasks/{task}/uploads TaskFunctionsprepareattachment',
      'POST /boards/{board}/uploads BoardFunctionsprepareupload',
      'PUT /boards/{board} BoardFunctionsadministerboard',
      'PUT /boards/{board}/grants BoardFunctionsadministerboard',
    ]);
  });

  it.each(ofPublic)('wants a signature: $route', ({ authorization }) => {
    expect(authorization).toBe('AWS_IAM');
  });

  it('checks the body of a start, a check, a task, a file and a grant, whatever content type it claims', () => {
    const checked = ofPublic.filter(({ models }) => models !== undefined);
    expect(checked.map(({ route }) => route).sort()).toEqual([
      'POST /boards/{board}/plan-checks',
      'POST /boards/{board}/runs',
      'POST /boards/{board}/tasks',
      'POST /boards/{board}/tasks/{task}/attachments',
      'POST /boards/{board}/tasks/{task}/uploads',
      'POST /boards/{board}/uploads',
      'PUT /boards/{board}/grants',
    ]);
    for (const { models } of checked) expect(Object.keys(models as object)).toEqual(['$default']);
    control.hasResourceProperties('AWS::ApiGateway::RequestValidator', {
      ValidateRequestBody: true,
    });
  });

  it('describes bodies in draft 4 without what API Gateway reads otherwise', () => {
    const models = listResources(control, 'AWS::ApiGateway::Model');
    expect(models).toHaveLength(6);
    const text = render(models);
    for (const keyword of [
      'propertyNames',
      '$defs',
      'const',
      'exclusiveMinimum',
      '\\"pattern\\"',
    ]) {
      expect(text).not.toContain(`"${keyword}"`);
    }
    const [, upload] = models.find(([, { Properties }]) => Properties['Name'] === 'Upload')!;
    expect(upload.Properties['Schema']).toMatchObject({
      $schema: 'http://json-schema.org/draft-04/schema#',
      type: 'object',
      required: ['filename', 'media_type', 'size', 'sha256'],
      additionalProperties: false,
    });
  });
});

describe('executor API', () => {
  it('serves the four calls of couriers', () => {
    expect(ofExecutors.map(({ route }) => route).sort()).toEqual([
      'POST /claim',
      'POST /heartbeat',
      'POST /renew',
      'POST /submit',
    ]);
  });

  it('is reached through its endpoint in the network and from nowhere else', () => {
    const [, api] = listResources(control, 'AWS::ApiGateway::RestApi').find(
      ([, { Properties }]) => Properties['Name'] === 'windlass-executor-api',
    )!;
    expect(api.Properties['EndpointConfiguration']).toMatchObject({ Types: ['PRIVATE'] });
    const { Statement } = api.Properties['Policy'] as {
      Statement: { Effect: string; Condition: Record<string, object> }[];
    };
    expect(Statement.map(({ Effect, Condition }) => [Effect, Object.keys(Condition)])).toEqual([
      ['Deny', ['StringNotEquals']],
      ['Allow', ['StringEquals']],
    ]);
    for (const { Condition } of Statement) {
      expect(render(Condition)).toMatch(/aws:SourceVpce.*NetworkExecutorApi/);
    }
  });
});

describe('both APIs', () => {
  it('p52 log who called what, and neither headers nor bodies', () => {
    const stages = listResources(control, 'AWS::ApiGateway::Stage');
    expect(stages).toHaveLength(2);
    for (const [, { Properties }] of stages) {
      const { Format } = Properties['AccessLogSetting'] as { Format: string };
      expect(Format).toContain('$context.resourcePath');
      expect(Format).not.toMatch(/header|body|input|authorizer|\$context\.path/i);
      expect(Properties['MethodSettings']).toEqual([
        expect.objectContaining({ DataTraceEnabled: false, LoggingLevel: 'ERROR' }),
      ]);
    }
  });

  it('throttle', () => {
    for (const [, { Properties }] of listResources(control, 'AWS::ApiGateway::Stage')) {
      expect(render(Properties['MethodSettings'])).toMatch(/"ThrottlingRateLimit":\d+/);
    }
  });

  it('have their logs before their stages', () => {
    control.allResources('AWS::ApiGateway::Stage', {
      DependsOn: Match.arrayWith([Match.stringLikeRegexp('ApiLogRole')]),
    });
  });
});
