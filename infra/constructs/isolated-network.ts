import { RemovalPolicy, Stack, Validations } from 'aws-cdk-lib';
import {
  CfnSecurityGroup,
  FlowLogDestination,
  GatewayVpcEndpoint,
  GatewayVpcEndpointAwsService,
  InterfaceVpcEndpoint,
  InterfaceVpcEndpointAwsService,
  IpAddresses,
  Peer,
  Port,
  SecurityGroup,
  SubnetType,
  Vpc,
} from 'aws-cdk-lib/aws-ec2';
import type { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { LogGroup, RetentionDays } from 'aws-cdk-lib/aws-logs';
import type { IBucket } from 'aws-cdk-lib/aws-s3';
import { Construct } from 'constructs';
import type { Stage } from '../stage-config.ts';
import {
  allowExecutorRoutes,
  allowImagePulls,
  allowLogStream,
  allowObjects,
  nameLayerBucket,
} from './endpoint-policies.ts';
import { NameFilter } from './name-filter.ts';

const cidr = '10.42.0.0/24';
const httpsPort = 443;

export interface IsolatedNetworkProps {
  stage: Stage;
  artifacts: IBucket;
  /** Where the containers of tasks log. */
  taskLogGroupArn: string;
}

/** Isolated subnets with no route out, and the endpoints that a Fargate task needs to start and to work (p54). */
export class IsolatedNetwork extends Construct {
  readonly vpc: Vpc;
  readonly taskSecurityGroup: CfnSecurityGroup;
  /** Of the executor API; undefined while no task can start. */
  readonly executorApiEndpoint: InterfaceVpcEndpoint | undefined;
  private readonly props: IsolatedNetworkProps;

  constructor(scope: Construct, id: string, props: IsolatedNetworkProps) {
    super(scope, id);
    this.props = props;
    this.vpc = new Vpc(this, 'Vpc', {
      ipAddresses: IpAddresses.cidr(cidr),
      maxAzs: props.stage.zones,
      natGateways: 0,
      // The fix brings a custom resource; nothing is ever placed in the default group.
      restrictDefaultSecurityGroup: false,
      subnetConfiguration: [
        { name: 'isolated', subnetType: SubnetType.PRIVATE_ISOLATED, cidrMask: 26 },
      ],
    });
    this.taskSecurityGroup = this.createTaskSecurityGroup();
    this.recordTraffic();
    if (props.stage.hasFargate) {
      this.executorApiEndpoint = this.createEndpoints();
      this.filterNames();
    }
  }

  get subnetIds(): string[] {
    return this.vpc.isolatedSubnets.map((subnet) => subnet.subnetId);
  }

  /**
   * Only endpoints lie in the network; S3 is reached by the prefix list of its gateway. Not the L2
   * construct, which makes a resource of its own of every rule with a prefix list.
   */
  private createTaskSecurityGroup(): CfnSecurityGroup {
    const https = { ipProtocol: 'tcp', fromPort: httpsPort, toPort: httpsPort };
    const toEndpoints = { ...https, cidrIp: cidr, description: 'To the endpoints of this network' };
    const toStorage = {
      ...https,
      destinationPrefixListId: this.props.stage.s3PrefixListId,
      description: 'To S3',
    };
    return new CfnSecurityGroup(this, 'Tasks', {
      vpcId: this.vpc.vpcId,
      groupDescription: 'Fargate tasks: out to the endpoints and S3, nothing in',
      securityGroupEgress: this.props.stage.hasFargate ? [toEndpoints, toStorage] : [toEndpoints],
    });
  }

  private createEndpoints(): InterfaceVpcEndpoint {
    const group = new SecurityGroup(this, 'Endpoints', {
      vpc: this.vpc,
      description: 'Endpoints: in from Fargate tasks',
      allowAllOutbound: false,
    });
    group.addIngressRule(
      Peer.securityGroupId(this.taskSecurityGroup.attrGroupId),
      Port.tcp(httpsPort),
      'From Fargate tasks',
    );
    const gateway = new GatewayVpcEndpoint(this, 'S3', {
      vpc: this.vpc,
      service: GatewayVpcEndpointAwsService.S3,
      subnets: [{ subnetType: SubnetType.PRIVATE_ISOLATED }],
    });
    for (const statement of allowObjects(this, this.props.artifacts.bucketArn)) {
      gateway.addToPolicy(statement);
    }
    const services = InterfaceVpcEndpointAwsService;
    this.createEndpoint('EcrApi', services.ECR, group, allowImagePulls(this));
    this.createEndpoint('EcrDocker', services.ECR_DOCKER, group, allowImagePulls(this));
    const logs = allowLogStream(this.props.taskLogGroupArn);
    this.createEndpoint('Logs', services.CLOUDWATCH_LOGS, group, logs);
    return this.createEndpoint(
      'ExecutorApi',
      services.APIGATEWAY,
      group,
      allowExecutorRoutes(this),
    );
  }

  private createEndpoint(
    id: string,
    service: InterfaceVpcEndpointAwsService,
    group: SecurityGroup,
    policy: PolicyStatement[],
  ): InterfaceVpcEndpoint {
    const endpoint = new InterfaceVpcEndpoint(this, id, {
      vpc: this.vpc,
      service,
      subnets: { subnetType: SubnetType.PRIVATE_ISOLATED },
      securityGroups: [group],
      open: false,
      privateDnsEnabled: true,
    });
    for (const statement of policy) endpoint.addToPolicy(statement);
    return endpoint;
  }

  private recordTraffic(): void {
    if (this.props.stage.knows('FLOW_LOGS')) {
      const logGroup = new LogGroup(this, 'Traffic', {
        retention: RetentionDays.THREE_MONTHS,
        removalPolicy: RemovalPolicy.DESTROY,
      });
      this.vpc.addFlowLog('FlowLog', {
        destination: FlowLogDestination.toCloudWatchLogs(logGroup),
      });
    } else {
      Validations.of(this.vpc).acknowledge({
        id: 'AwsSolutions-VPC7',
        reason: 'The emulator has no flow logs; on AWS they are on.',
      });
    }
  }

  private filterNames(): void {
    if (!this.props.stage.knows('DNS_FIREWALL')) return;
    const { region, urlSuffix } = Stack.of(this);
    const domain = `${region}.${urlSuffix}`;
    new NameFilter(this, 'Names', this.vpc.vpcId, [
      `*.execute-api.${domain}`,
      `api.ecr.${domain}`,
      `*.dkr.ecr.${domain}`,
      `logs.${domain}`,
      `${this.props.artifacts.bucketName}.s3.${domain}`,
      `${nameLayerBucket(this)}.s3.${domain}`,
    ]);
  }
}
