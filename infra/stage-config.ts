import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { App } from 'aws-cdk-lib';
import { z } from 'zod';
import { functionBundles } from '../build/bundle-functions.ts';
import { repositoryRoot } from '../build/repository-root.ts';

/**
 * What the emulator of the local stage does not know; everything else is the same on both stages.
 * `STATES_TOKEN_SCOPE`, `ECS_TASK_SCOPE`, `ECS_CLUSTER_CONDITION`: it authorizes these calls against
 * another resource than AWS does, or without that condition key. `COMPUTED_TIMEOUTS`: a state's
 * time-out can only be a number there, so the longest one stands, and the sweep ends an attempt in time.
 */
export const emulatorGaps = [
  'FLOW_LOGS',
  'DNS_FIREWALL',
  'SOURCE_VPCE_CONDITION',
  'STATES_TOKEN_SCOPE',
  'ECS_TASK_SCOPE',
  'ECS_CLUSTER_CONDITION',
  'COMPUTED_TIMEOUTS',
] as const;
export type EmulatorGap = (typeof emulatorGaps)[number];

const environmentVersion = z.strictObject({
  /** As an executor of the registry names it. */
  name: z.string().regex(/^[a-z][a-z0-9-]{0,63}$/),
  /** Pinned by digest: a tag may be moved. */
  image: z.string().regex(/@sha256:[0-9a-f]{64}$/),
});
export type EnvironmentVersion = z.infer<typeof environmentVersion>;

const stageSettings = z.strictObject({
  /** Prefix of every fixed name, so that two stages in one account do not collide. */
  prefix: z
    .string()
    .regex(/^[a-z][a-z0-9-]{0,19}$/)
    .default('windlass'),
  /** Without an environment no Fargate task can start and no interface endpoint is paid for. */
  environments: z.array(environmentVersion).default([]),
  courierImage: environmentVersion.shape.image.optional(),
  /** `aws ec2 describe-managed-prefix-lists --filters Name=prefix-list-name,Values=com.amazonaws.<region>.s3` */
  s3PrefixListId: z
    .string()
    .regex(/^pl-[0-9a-f]{8,17}$/)
    .optional(),
  zones: z.union([z.literal(1), z.literal(2)]).default(1),
  /** Of the images above. */
  taskArchitecture: z.enum(['ARM64', 'X86_64']).default('ARM64'),
});

export interface Stage {
  name: 'local' | 'deployed';
  prefix: string;
  /** Whether data outlive the stack. */
  retainsData: boolean;
  environments: EnvironmentVersion[];
  courierImage: string;
  s3PrefixListId: string;
  zones: 1 | 2;
  taskArchitecture: 'ARM64' | 'X86_64';
  hasFargate: boolean;
  /** Absolute folder with the bundled code of each function. */
  functionBundles: string;
  /** The one switch: false for what this stage lacks. */
  knows: (gap: EmulatorGap) => boolean;
}

/**
 * Reads `-c stage=local` or `-c stage=deployed` and, of the latter, the settings under the context key `deployed`.
 * @throws Error that names the field, the fault and the fix
 */
export function readStage(app: App): Stage {
  const name: unknown = app.node.tryGetContext('stage') ?? 'deployed';
  const bundles: unknown = app.node.tryGetContext('functionBundles') ?? functionBundles;
  const code = { functionBundles: path.resolve(repositoryRoot, String(bundles)) };
  if (name === 'local') return { ...describeLocalStage(), ...code };
  if (name !== 'deployed') {
    throw new Error(`stage: "${String(name)}" is unknown; use -c stage=local or -c stage=deployed`);
  }
  const parsed = stageSettings.safeParse(app.node.tryGetContext('deployed') ?? {});
  if (!parsed.success) {
    throw new Error(`cdk.json, context.deployed: ${z.prettifyError(parsed.error)}`);
  }
  const settings = parsed.data;
  const hasFargate = settings.environments.length > 0;
  return {
    name,
    ...settings,
    ...code,
    courierImage: requireFor(hasFargate, 'courierImage', settings.courierImage),
    s3PrefixListId: requireFor(hasFargate, 's3PrefixListId', settings.s3PrefixListId),
    retainsData: true,
    hasFargate,
    knows: () => true,
  };
}

function requireFor(needed: boolean, field: string, value: string | undefined): string {
  if (needed && value === undefined) {
    throw new Error(
      `cdk.json, context.deployed.${field}: missing; with an environment it must be given`,
    );
  }
  return value ?? '';
}

const localEnvironments = ['documents-v1'];

function describeLocalStage(): Omit<Stage, 'functionBundles'> {
  return {
    name: 'local',
    prefix: 'windlass',
    environments: localEnvironments.map((environment) => ({
      name: environment,
      image: `local/${environment}@sha256:${readLocalDigest(environment)}`,
    })),
    courierImage: `local/courier@sha256:${'0'.repeat(64)}`,
    s3PrefixListId: 'pl-00000000',
    zones: 1,
    taskArchitecture: 'ARM64',
    retainsData: false,
    hasFargate: true,
    knows: (gap) => !emulatorGaps.includes(gap),
  };
}

/** No image is built locally: the digest is that of the environment's folder. @throws Error when it was never built */
function readLocalDigest(environment: string): string {
  const file = path.join(repositoryRoot, 'dist/environments', environment, 'digest');
  try {
    return readFileSync(file, 'utf8').trim();
  } catch (error) {
    const fix = 'run npm run build first';
    throw new Error(`dist/environments/${environment}/digest is missing: ${fix}`, { cause: error });
  }
}
