import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { App } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import { afterAll } from 'vitest';
import { functionNames } from '../../build/function-names.ts';
import { buildStacks } from '../../infra/build-stacks.ts';

export interface Resource {
  Type: string;
  Properties: Record<string, unknown>;
  DeletionPolicy?: string;
}

const root = path.resolve(import.meta.dirname, '../..');
const folder = mkdtempSync(path.join(tmpdir(), 'windlass-infra-'));

afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

/** Templates do not depend on what the functions do, so each is one empty module. */
function writeStandIns(): string {
  const bundles = path.join(folder, 'functions');
  for (const name of functionNames) {
    mkdirSync(path.join(bundles, name), { recursive: true });
    writeFileSync(path.join(bundles, name, 'index.mjs'), 'export const handler = () => {};\n');
  }
  return bundles;
}

export const deployedSettings = {
  environments: [
    {
      name: 'documents-v1',
      image: `000000000000.dkr.ecr.us-east-1.amazonaws.com/documents@sha256:${'a'.repeat(64)}`,
    },
  ],
  courierImage: `000000000000.dkr.ecr.us-east-1.amazonaws.com/courier@sha256:${'b'.repeat(64)}`,
  s3PrefixListId: 'pl-63a5400a',
};

export function createApp(context: Record<string, unknown>, outdir?: string): App {
  const file = readFileSync(path.join(root, 'cdk.json'), 'utf8');
  const settings = JSON.parse(file) as { context: Record<string, unknown> };
  return new App({
    ...(outdir === undefined ? {} : { outdir }),
    builtinCloudFormationValidation: outdir !== undefined,
    context: { ...settings.context, functionBundles: writeStandIns(), ...context },
  });
}

export interface Synthesised {
  state: Template;
  control: Template;
}

export function synthesiseStage(
  stage: 'local' | 'deployed',
  deployed: Record<string, unknown> = deployedSettings,
): Synthesised {
  const stacks = buildStacks(createApp({ stage, deployed }));
  return {
    state: Template.fromStack(stacks.state),
    control: Template.fromStack(stacks.control),
  };
}

export function listResources(template: Template, type?: string): [string, Resource][] {
  const all = Object.entries(template.toJSON()['Resources'] as Record<string, Resource>);
  return type === undefined ? all : all.filter(([, resource]) => resource.Type === type);
}

/** A value as text, for looking for what must not be in it. */
export function render(value: unknown): string {
  return JSON.stringify(value);
}
