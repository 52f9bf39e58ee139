import { type App, Tags, Validations } from 'aws-cdk-lib';
import { ControlStack } from './stacks/control-stack.ts';
import { StateStack } from './stacks/state-stack.ts';
import { ReasonedChecks } from './reasoned-checks.ts';
import { readStage } from './stage-config.ts';

/** Both stacks of the stage that the context names; a rule that is broken without a reason fails the synth. */
export function buildStacks(app: App): { state: StateStack; control: ControlStack } {
  const stage = readStage(app);
  Validations.of(app).addPlugins(new ReasonedChecks(app));
  Tags.of(app).add('application', stage.prefix);
  const state = new StateStack(app, `${stage.prefix}-state`, stage, {
    description: 'Logs of runs, artifacts and keys; kept when everything else goes',
  });
  const control = new ControlStack(app, `${stage.prefix}-control`, stage, state, {
    description: 'Functions, workflows, APIs and the network of executors',
  });
  return { state, control };
}
