import { expect, it } from 'vitest';
import { withInterruption } from '../../../cli/interruption.ts';

it('heeds the first signal and leaves the second to end the program', async () => {
  const before = process.listenerCount('SIGTERM');
  const during: number[] = [];
  const work = withInterruption(
    () => 'nothing was sent',
    (signal) =>
      new Promise((_, reject) => {
        signal.addEventListener('abort', () => {
          reject(new Error('stopped'));
        });
        during.push(process.listenerCount('SIGTERM'));
        process.emit('SIGTERM', 'SIGTERM');
        during.push(process.listenerCount('SIGTERM'));
      }),
  );
  await expect(work).rejects.toMatchObject({
    exit: 143,
    message: 'interrupted; nothing was sent',
  });
  expect(during).toEqual([before + 1, before]);
  expect(process.listenerCount('SIGTERM')).toBe(before);
});
