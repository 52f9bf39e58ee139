import {
  CfnFirewallDomainList,
  CfnFirewallRuleGroup,
  CfnFirewallRuleGroupAssociation,
} from 'aws-cdk-lib/aws-route53resolver';
import { Construct } from 'constructs';

/**
 * Lets the network resolve the listed names and no other: the resolver of a VPC answers any public
 * name, even in a subnet without a route, so a name could carry data out (p55).
 */
export class NameFilter extends Construct {
  constructor(scope: Construct, id: string, vpcId: string, allowedNames: string[]) {
    super(scope, id);
    const allowed = new CfnFirewallDomainList(this, 'Allowed', { domains: allowedNames });
    const every = new CfnFirewallDomainList(this, 'Every', { domains: ['*'] });
    const rules = new CfnFirewallRuleGroup(this, 'Rules', {
      firewallRules: [
        {
          priority: 1,
          action: 'ALLOW',
          firewallDomainListId: allowed.attrId,
          // Otherwise each name behind an alias would have to be allowed too.
          firewallDomainRedirectionAction: 'TRUST_REDIRECTION_DOMAIN',
        },
        {
          priority: 2,
          action: 'BLOCK',
          blockResponse: 'NXDOMAIN',
          firewallDomainListId: every.attrId,
        },
      ],
    });
    new CfnFirewallRuleGroupAssociation(this, 'Association', {
      firewallRuleGroupId: rules.attrId,
      vpcId,
      priority: 101,
    });
  }
}
