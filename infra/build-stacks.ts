import { type App, Tags } from 'aws-cdk-lib';
import { ControlStack } from './stacks/control-stack.ts';
import { StateStack } from './stacks/state-stack.ts';
import { readStage } from './stage-config.ts';

/** Both stacks of the stage that the context names. */
export function buildStacks(app: App): { state: StateStack; control: ControlStack } {
  const stage = readStage(app);
  Tags.of(app).add('application', stage.prefix);
  const state = new StateStack(app, `${stage.prefix}-state`, stage, {
    description: 'Logs of runs, artifacts and keys; kept when everything else goes',
  });
  const control = new ControlStack(app, `${stage.prefix}-control`, stage, state, {
    description: 'Functions, workflows, APIs and the network of executors',
  });
  return { state, control };
}
