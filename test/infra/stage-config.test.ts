import { describe, expect, it } from 'vitest';
import { emulatorGaps, readStage } from '../../infra/stage-config.ts';
import { createApp, deployedSettings } from './synthesise-stage.ts';

function read(context: Record<string, unknown>) {
  return readStage(createApp(context));
}

describe('stage configuration', () => {
  it('knows everything when deployed and has every gap on one machine', () => {
    const deployed = read({ stage: 'deployed', deployed: deployedSettings });
    const local = read({ stage: 'local' });
    expect(emulatorGaps.every((gap) => deployed.knows(gap))).toBe(true);
    expect(emulatorGaps.some((gap) => local.knows(gap))).toBe(false);
  });

  it('is the deployed one when nothing is said', () => {
    expect(read({}).name).toBe('deployed');
  });

  it('refuses a stage that it does not know, and names the two', () => {
    expect(() => read({ stage: 'staging' })).toThrow(
      'stage: "staging" is unknown; use -c stage=local or -c stage=deployed',
    );
  });

  it('refuses an image without a digest, and names the field', () => {
    const environments = [{ name: 'documents-v1', image: 'documents:latest' }];
    expect(() => read({ deployed: { ...deployedSettings, environments } })).toThrow(
      /context\.deployed[\s\S]*environments\[0\]\.image/,
    );
  });

  it('refuses a field that it does not know', () => {
    expect(() => read({ deployed: { ...deployedSettings, zone: 1 } })).toThrow(/zone/);
  });

  it.each(['courierImage', 's3PrefixListId'])('wants %s with an environment', (field) => {
    const deployed = { ...deployedSettings, [field]: undefined };
    expect(() => read({ deployed })).toThrow(`context.deployed.${field}: missing`);
  });

  it('wants neither without an environment', () => {
    expect(read({ deployed: {} }).hasFargate).toBe(false);
  });

  it('takes a prefix, so that two stages share an account', () => {
    expect(read({ deployed: { prefix: 'trial' } }).prefix).toBe('trial');
    expect(() => read({ deployed: { prefix: 'Trial!' } })).toThrow(/prefix/);
  });
});
