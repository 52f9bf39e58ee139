import { createPlanReader } from '../use-cases/attempt/create-plan-reader.ts';
import { createSchemaValidator } from './create-schema-validator.ts';
import { createStores } from './create-stores.ts';
import { createWorkflows } from './create-workflows.ts';
import type { Settings } from './read-setting.ts';

/** What admission needs; closing needs it too, for what had returned. */
export function createAdmission(settings: Settings) {
  const { attempts, stopOrders, artifacts, documents, inbox, park, clock } = createStores(settings);
  return {
    attempts,
    stopOrders,
    artifacts,
    documents,
    inbox,
    park,
    clock,
    workflows: createWorkflows(settings),
    schemas: createSchemaValidator(),
    readPlanned: createPlanReader(documents),
  };
}
