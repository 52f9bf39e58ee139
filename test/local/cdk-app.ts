import path from 'node:path';
import { execa } from 'execa';
import { describeLocalEnvironment } from './local-environment.ts';
import { pinnedNode, pinnedNodeFolder, repositoryRoot } from './repository-paths.ts';
import { localAccountId, localRegion, type EmulatorState } from './stack-state.ts';

const cdkTimeoutMs = 300_000;
const cdklocal = path.join(repositoryRoot, 'node_modules', 'aws-cdk-local', 'bin', 'cdklocal');
/** Tells the app which stage to synthesise; resources no emulator knows hang on it. */
const stageContext = ['--context', 'stage=local'];
const quiet = ['--no-notices', '--no-color', '--no-version-reporting'];

export interface CdkPlace {
  /** Holds `cdk.json`. */
  appFolder: string;
  cloudAssembly: string;
  /** Home of the CDK's own caches. */
  homeFolder: string;
}

/** The last lines say what went wrong; everything before is progress. */
const errorLines = 12;

async function runCdk(
  place: CdkPlace,
  commandArguments: string[],
  environment: Record<string, string>,
): Promise<void> {
  const result = await execa(pinnedNode, [cdklocal, ...commandArguments, ...quiet], {
    cwd: place.appFolder,
    reject: false,
    all: true,
    timeout: cdkTimeoutMs,
    extendEnv: false,
    env: {
      PATH: `${pinnedNodeFolder}:/usr/local/bin:/usr/bin:/bin`,
      HOME: place.homeFolder,
      LANG: 'C.UTF-8',
      CI: 'true',
      CDK_DISABLE_CLI_TELEMETRY: 'true',
      ...environment,
      // cdklocal removes every AWS variable that is not named here.
      AWS_ENVAR_ALLOWLIST: Object.keys(environment).join(','),
    },
  });
  if (result.exitCode === 0) return;
  const end = result.all.trim().split('\n').slice(-errorLines).join('\n');
  throw new Error(`cdk ${commandArguments[0] ?? ''} failed:\n${end}`, { cause: result });
}

/** Makes everything that is deployed from the sources as they are now; does nothing when nothing has changed. */
async function buildRepository(): Promise<void> {
  const result = await execa(pinnedNode, [path.join(repositoryRoot, 'build', 'build-all.ts')], {
    cwd: repositoryRoot,
    reject: false,
    all: true,
    timeout: cdkTimeoutMs,
    extendEnv: false,
    env: { PATH: `${pinnedNodeFolder}:/usr/local/bin:/usr/bin:/bin`, LANG: 'C.UTF-8' },
  });
  if (result.exitCode === 0) return;
  const end = result.all.trim().split('\n').slice(-errorLines).join('\n');
  throw new Error(`the build failed:\n${end}`, { cause: result });
}

/** Makes the bundles, environments and templates; needs no emulator. */
export async function synthesiseApp(place: CdkPlace): Promise<void> {
  if (place.appFolder === repositoryRoot) await buildRepository();
  await runCdk(place, ['synth', '--quiet', '--output', place.cloudAssembly, ...stageContext], {
    // The command refuses to run without both; it calls nobody.
    AWS_ENDPOINT_URL: 'https://127.0.0.1:1',
    AWS_ENDPOINT_URL_S3: 'https://127.0.0.1:1',
    CDK_DEFAULT_ACCOUNT: localAccountId,
    CDK_DEFAULT_REGION: localRegion,
  });
}

/** Makes the bucket and roles that every deploy uses. Harmless when they exist. */
export async function bootstrapAccount(place: CdkPlace, emulator: EmulatorState): Promise<void> {
  const environment = `aws://${emulator.accountId}/${emulator.region}`;
  const command = ['bootstrap', environment, '--ca-bundle-path', emulator.certificate];
  // In the app's folder the command would synthesise the app once more.
  const elsewhere = { ...place, appFolder: place.homeFolder };
  await runCdk(elsewhere, command, describeLocalEnvironment(emulator));
}

/** Deploys every stack of the synthesised app; CloudFormation outputs go to the file. */
export async function deployCloudAssembly(
  place: CdkPlace,
  emulator: EmulatorState,
  outputsFile: string,
): Promise<void> {
  await runCdk(
    place,
    [
      ...['deploy', '--all', '--app', place.cloudAssembly, '--require-approval', 'never'],
      ...['--outputs-file', outputsFile, '--ca-bundle-path', emulator.certificate],
    ],
    describeLocalEnvironment(emulator),
  );
}
