import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type App, Validations } from 'aws-cdk-lib';
import { PolicyStatement, Role } from 'aws-cdk-lib/aws-iam';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildStacks } from '../../infra/build-stacks.ts';
import { ReasonedChecks } from '../../infra/reasoned-checks.ts';
import { createApp, deployedSettings } from './synthesise-stage.ts';

interface Report {
  pluginReports: { violations: { ruleName: string; severity: string }[] }[];
}

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'windlass-checks-'));
});
afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

/** Synthesises with all checks, which throws at an error; answers what they only warn of. */
function check(app: App): string[] {
  Validations.of(app).addPlugins(new ReasonedChecks(app));
  app.synth();
  const file = readFileSync(path.join(app.outdir, 'validation-report.json'), 'utf8');
  const { pluginReports } = JSON.parse(file) as Report;
  return pluginReports.flatMap(({ violations }) => violations.map(({ ruleName }) => ruleName));
}

describe('checks', () => {
  it.each(['local', 'deployed'])('find nothing without a reason in the stage %s', (stage) => {
    const app = createApp({ stage, deployed: deployedSettings }, path.join(folder, stage));
    buildStacks(app);
    expect(check(app)).toEqual([]);
  });

  it('find a right on everything that nobody gave a reason for', () => {
    const outdir = path.join(folder, 'broken');
    const app = createApp({ stage: 'deployed', deployed: deployedSettings }, outdir);
    const { control } = buildStacks(app);
    const role = control.node.findAll().find((each) => each instanceof Role)!;
    role.addToPrincipalPolicy(new PolicyStatement({ actions: ['dynamodb:*'], resources: ['*'] }));
    expect(() => check(app)).toThrow('AwsSolutions-IAM5[Action::dynamodb:*]');
  });
});
