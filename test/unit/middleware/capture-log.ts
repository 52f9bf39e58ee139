import { vi } from 'vitest';
import { logger as presentLogger } from '../../../functions/middleware/logger.ts';

/** What is logged from now on, each line as JSON. */
export function captureLog(logger = presentLogger): string[] {
  const lines: string[] = [];
  for (const level of ['info', 'warn', 'error'] as const) {
    vi.spyOn(logger, level).mockImplementation((...said: unknown[]) => {
      lines.push(JSON.stringify({ level, said }));
    });
  }
  return lines;
}
