import { Logger } from '@aws-lambda-powertools/logger';

/** One structured line a call, with ids and times. Bodies, tokens and keys are never logged (p52). */
export const logger = new Logger({ serviceName: 'windlass' });
