import { App } from 'aws-cdk-lib';
import { bundleFunctions } from '../build/bundle-functions.ts';
import { buildStacks } from './build-stacks.ts';

const app = new App();
if (app.node.tryGetContext('functionBundles') === undefined) await bundleFunctions();
buildStacks(app);
app.synth();
