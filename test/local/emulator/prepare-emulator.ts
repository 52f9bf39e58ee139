import path from 'node:path';
import { preparePython, type PreparedPython } from '../python/prepare-python.ts';
import { windlassFolder } from '../repository-paths.ts';

/** The emulator in a virtual environment of its own, as `requirements.txt` pins it. */
export async function prepareEmulator(folder = windlassFolder): Promise<PreparedPython> {
  return preparePython({
    folder: path.join(folder, 'venv'),
    requirementsFile: path.join(import.meta.dirname, 'requirements.txt'),
    what: 'the emulator',
  });
}
