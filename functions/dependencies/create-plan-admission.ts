import { createParamsCheck } from '../executors/create-params-check.ts';
import { findSchemaFault } from '../executors/find-schema-fault.ts';
import { createCatalogue } from './create-catalogue.ts';
import { createStores } from './create-stores.ts';
import type { Settings } from './read-setting.ts';

/** What a plan is admitted with, so that a check of it and both ways to start it decide alike. */
export function createPlanAdmission(settings: Settings) {
  const catalogue = createCatalogue(settings);
  return {
    ...catalogue,
    checkParams: createParamsCheck(catalogue.registry),
    findSchemaFault,
    ...createStores(settings),
  };
}
