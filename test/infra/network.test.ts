import { Match } from 'aws-cdk-lib/assertions';
import { describe, expect, it } from 'vitest';
import { readStatements } from './read-policies.ts';
import { deployedSettings, listResources, render, synthesiseStage } from './synthesise-stage.ts';

const { control } = synthesiseStage('deployed');
const endpoints = listResources(control, 'AWS::EC2::VPCEndpoint').map(
  ([, { Properties }]) => Properties,
);

function findEndpoint(service: string) {
  const found = endpoints.find((each) =>
    render(each['ServiceName'])
      .replaceAll(/[",\]}]/g, '')
      .endsWith(service),
  );
  if (found === undefined) throw new Error(`no endpoint of ${service}`);
  return found;
}

describe('network', () => {
  it('p55 has no way out: no gateway, no NAT, no public subnet, no route but the local one', () => {
    for (const type of [
      'AWS::EC2::InternetGateway',
      'AWS::EC2::EgressOnlyInternetGateway',
      'AWS::EC2::VPCGatewayAttachment',
      'AWS::EC2::NatGateway',
      'AWS::EC2::Route',
      'AWS::EC2::VPCPeeringConnection',
      'AWS::EC2::TransitGatewayAttachment',
      'AWS::EC2::EIP',
    ]) {
      control.resourceCountIs(type, 0);
    }
    const subnets = listResources(control, 'AWS::EC2::Subnet');
    expect(subnets).toHaveLength(1);
    for (const [, { Properties }] of subnets) expect(Properties['MapPublicIpOnLaunch']).toBe(false);
  });

  it('has a subnet in each of two zones when the stage says so', () => {
    const two = synthesiseStage('deployed', { ...deployedSettings, zones: 2 }).control;
    two.resourceCountIs('AWS::EC2::Subnet', 2);
    two.resourceCountIs('AWS::EC2::NatGateway', 0);
  });

  it.each(['.ecr.api', '.ecr.dkr', '.logs', '.execute-api', '.s3'])(
    'p54 has the endpoint that a task needs to start: %s',
    (service) => {
      expect(findEndpoint(service)['PolicyDocument']).toBeDefined();
    },
  );

  it('has no other endpoint', () => {
    expect(endpoints).toHaveLength(5);
  });

  it('p54 gives every interface endpoint its name in the network', () => {
    for (const each of endpoints.filter((one) => one['VpcEndpointType'] === 'Interface')) {
      expect(each['PrivateDnsEnabled']).toBe(true);
    }
  });

  it('p55 leaves no endpoint open to resources of others', () => {
    for (const each of endpoints) {
      for (const { Action, Resource } of readStatements(each['PolicyDocument'])) {
        expect(Action.filter((action) => action.includes('*'))).toEqual([]);
        if (Resource.includes('*')) expect(Action).toEqual(['ecr:GetAuthorizationToken']);
      }
    }
  });

  it('p55 lets objects of the artifact bucket and image layers through the S3 endpoint, no others', () => {
    const resources = readStatements(findEndpoint('.s3')['PolicyDocument']).flatMap(
      ({ Resource }) => Resource.map(render),
    );
    expect(resources).toHaveLength(2);
    expect(resources[0]).toContain('ArtifactsBucket');
    expect(resources[1]).toContain('-starport-layer-bucket/*');
  });

  it('lets the four calls of couriers through to the executor API, no others', () => {
    const statements = readStatements(findEndpoint('.execute-api')['PolicyDocument']);
    const routes = statements
      .flatMap(({ Resource }) => Resource.map(render))
      .map((each) => /POST\/[a-z]+/.exec(each)?.[0]);
    expect(routes.sort()).toEqual(['POST/claim', 'POST/heartbeat', 'POST/renew', 'POST/submit']);
  });

  it('p55 lets tasks out to the endpoints and S3 by TLS, and nobody in', () => {
    const groups = listResources(control, 'AWS::EC2::SecurityGroup').map(([, each]) => each);
    const tasks = groups.find(({ Properties }) =>
      String(Properties['GroupDescription']).startsWith('Fargate tasks'),
    )!.Properties;
    expect(tasks['SecurityGroupIngress']).toBeUndefined();
    expect(tasks['SecurityGroupEgress']).toEqual([
      expect.objectContaining({ CidrIp: '10.42.0.0/24', FromPort: 443, ToPort: 443 }),
      expect.objectContaining({
        DestinationPrefixListId: 'pl-63a5400a',
        FromPort: 443,
        ToPort: 443,
      }),
    ]);
    expect(render(groups)).not.toContain('"0.0.0.0/0"');
    expect(render(groups)).not.toContain('::/0');
  });

  it('p55 resolves the names of its endpoints, and last of all blocks every name', () => {
    const rules = listResources(control, 'AWS::Route53Resolver::FirewallRuleGroup')[0]![1]
      .Properties['FirewallRules'] as {
      Action: string;
      Priority: number;
      FirewallDomainListId: unknown;
    }[];
    expect(rules.map(({ Action, Priority }) => [Action, Priority])).toEqual([
      ['ALLOW', 1],
      ['BLOCK', 2],
    ]);
    expect(render(rules[1]!.FirewallDomainListId)).toContain('Every');
    control.hasResourceProperties('AWS::Route53Resolver::FirewallDomainList', { Domains: ['*'] });
    control.resourceCountIs('AWS::Route53Resolver::FirewallRuleGroupAssociation', 1);
  });

  it('records its traffic', () => {
    control.hasResourceProperties('AWS::EC2::FlowLog', { TrafficType: 'ALL' });
  });

  it('pays for no interface endpoint while no environment can be started', () => {
    const idle = synthesiseStage('deployed', {}).control;
    idle.resourceCountIs('AWS::EC2::VPCEndpoint', 0);
    idle.resourceCountIs('AWS::ECS::TaskDefinition', 0);
    idle.hasResourceProperties('AWS::ApiGateway::RestApi', {
      Name: 'windlass-executor-api',
      Policy: Match.objectLike({ Statement: [Match.objectLike({ Effect: 'Deny' })] }),
    });
  });
});
