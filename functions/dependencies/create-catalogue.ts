import { z } from 'zod';
import { loadRegistry, type LoadedRegistry } from '../../registry/load-registry.ts';
import { sha256Hex } from '../../schemas/ids.ts';
import { readSetting, type Settings } from './read-setting.ts';

const pins = z.record(
  z.string(),
  z.strictObject({ digest: sha256Hex, tools: z.record(z.string(), sha256Hex) }),
);

/** Who can do what at which price, with the digests of the environments that this stage was deployed with. */
export function createCatalogue(settings: Settings): LoadedRegistry {
  return loadRegistry(pins.parse(JSON.parse(readSetting(settings, 'WINDLASS_ENVIRONMENT_PINS'))));
}
