import { App, Validations } from 'aws-cdk-lib';
import { bundleFunctions } from '../build/bundle-functions.ts';
import { buildStacks } from './build-stacks.ts';
import { ReasonedChecks } from './reasoned-checks.ts';

const app = new App();
if (app.node.tryGetContext('functionBundles') === undefined) await bundleFunctions();
buildStacks(app);
// A rule that is broken without a reason fails the synth.
Validations.of(app).addPlugins(new ReasonedChecks(app));
app.synth();
