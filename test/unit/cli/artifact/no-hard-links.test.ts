import { linkSync } from 'node:fs';
import { expect, it, vi } from 'vitest';
import { checkDestination } from '../../../../cli/artifact/destination/check-destination.ts';
import { stageFile } from '../../../../cli/artifact/destination/staged-file.ts';
import { findCode } from './setting/expect-code.ts';
import { useFolder } from './setting/use-folder.ts';

vi.mock('node:fs', async (load) => ({ ...(await load<object>()), linkSync: vi.fn() }));

const folder = useFolder();

it.each(['EPERM', 'ENOTSUP', 'ENOSYS', 'EMLINK'])(
  'A47 refuses a file system without hard links (%s) and falls back to nothing',
  async (code) => {
    vi.mocked(linkSync).mockImplementation(() => {
      throw Object.assign(new Error('link'), { code });
    });
    const staged = await stageFile(await checkDestination(folder.at('out'), false));
    await staged.write(Buffer.from('bytes'));
    expect(findCode(() => staged.publish(false))).toBe('artifact_destination_invalid');
    await staged.discard();
    expect(await folder.list()).toEqual([]);
  },
);
