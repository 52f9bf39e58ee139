import { describe, expect, it } from 'vitest';
import { resolveStackPaths, stacksFolder } from '../../local/stack-state.ts';

describe('stack name', () => {
  it.each(['default', 'a', 'run-2', 'x'.repeat(32)])('%j names a folder', (name) => {
    expect(resolveStackPaths(name).folder).toBe(`${stacksFolder}/${name}`);
  });

  it.each(['', '.', '..', '../x', 'a/b', 'A', '-a', 'a-', 'a b', 'a.lock', 'x'.repeat(33), 'a\n'])(
    '%j is refused',
    (name) => {
      expect(() => resolveStackPaths(name)).toThrow(/stack name/);
    },
  );
});
