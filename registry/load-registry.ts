import { z } from 'zod';
import { priceTable, registry, type PriceTable, type Registry } from '../schemas/registry.ts';
import { functionExecutors, registryVersion, toolExecutors } from './executors.ts';
import { prices } from './prices.ts';
import { signatures } from './signatures.ts';

export interface LoadedRegistry {
  registry: Registry;
  prices: PriceTable;
}

/** What the build knows of an environment version. */
export interface EnvironmentPins {
  /** SHA-256 of the environment version. */
  digest: string;
  /** Command id → SHA-256 of the tool that it runs. */
  tools: Readonly<Record<string, string>>;
}

/** Stands for a digest that no build has given. Selection takes a tool that carries it for unverified. */
const unfilledDigest = '0'.repeat(64);

/**
 * The registry and the prices, with the digests of the built environments filled in: the one place where they are. A tool
 * whose environment was not built stays in the registry, unverified, and is never chosen (E99).
 *
 * @throws ZodError when an entry is malformed.
 */
export function loadRegistry(
  environments: Readonly<Record<string, EnvironmentPins>>,
): LoadedRegistry {
  const tools = toolExecutors.map((tool) => {
    const pins = Object.hasOwn(environments, tool.environment)
      ? environments[tool.environment]
      : undefined;
    const command = tool.commands[0] ?? '';
    return {
      ...tool,
      environmentDigest: pins?.digest ?? unfilledDigest,
      verification: { ...tool.verification, toolSha256: pins?.tools[command] ?? unfilledDigest },
    };
  });
  return {
    registry: registry.parse({
      version: registryVersion,
      executors: [...functionExecutors, ...tools],
      signatures,
    }),
    prices: priceTable.parse(z.encode(priceTable, prices)),
  };
}
