import { readFile, readdir } from 'node:fs/promises';
import path from 'node:path';
import {
  paginateDescribeLogGroups,
  paginateFilterLogEvents,
} from '@aws-sdk/client-cloudwatch-logs';
import { resolveStackPaths } from '../../local/stack-state.ts';
import type { E2eStack } from './use-stack.ts';

export interface LogText {
  source: string;
  text: string;
}

/** Every line in CloudWatch, one text a log group. */
export async function readCloudWatchLogs(stack: E2eStack): Promise<LogText[]> {
  const texts: LogText[] = [];
  const client = stack.aws.logs;
  for await (const { logGroups } of paginateDescribeLogGroups({ client }, {})) {
    for (const { logGroupName = '' } of logGroups ?? []) {
      const lines: string[] = [];
      for await (const page of paginateFilterLogEvents({ client }, { logGroupName })) {
        lines.push(...(page.events ?? []).map(({ message = '' }) => message));
      }
      texts.push({ source: logGroupName, text: lines.join('\n') });
    }
  }
  return texts;
}

/** The files that the local stack itself writes. */
export async function readLocalLogs(stack: E2eStack): Promise<LogText[]> {
  const { logs } = resolveStackPaths(stack.state.name);
  const entries = await readdir(logs, { recursive: true, withFileTypes: true });
  return Promise.all(
    entries
      .filter((entry) => entry.isFile())
      .map(async (entry) => {
        const source = path.join(entry.parentPath, entry.name);
        return { source, text: await readFile(source, 'utf8') };
      }),
  );
}
