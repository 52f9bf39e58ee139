import { AwsSolutionsChecks, type IApplyRule } from 'cdk-nag';

const exportedArn = /^Resource::[\w-]+:ExportsOutput\w+\//;

/**
 * The rules of cdk-nag. An ARN of the other stack appears in a finding by the generated name of its
 * export; here it is `<object>`, so that a reason does not depend on that name.
 */
export class ReasonedChecks extends AwsSolutionsChecks {
  protected override applyRule(params: IApplyRule): void {
    super.applyRule({
      ...params,
      ruleSuffixOverride: params.ruleSuffixOverride ?? params.rule.name,
      rule: (node) => {
        const result = params.rule(node);
        return Array.isArray(result)
          ? result.map((finding) => finding.replace(exportedArn, 'Resource::<object>/'))
          : result;
      },
    });
  }
}
