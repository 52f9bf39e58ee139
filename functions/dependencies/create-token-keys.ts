import { createKmsClient } from '../adapters/aws-clients.ts';
import { createKmsTokenKeys } from '../adapters/kms-token-keys.ts';
import type { TokenKeys } from '../ports/token-keys.ts';
import { readSetting, type Settings } from './read-setting.ts';

export function createTokenKeys(settings: Settings): TokenKeys {
  return createKmsTokenKeys({
    client: createKmsClient(settings),
    keyId: readSetting(settings, 'WINDLASS_TOKEN_KEY_ARN'),
  });
}
