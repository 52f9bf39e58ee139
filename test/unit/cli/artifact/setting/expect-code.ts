import { expect } from 'vitest';
import {
  ArtifactFailure,
  type ArtifactCode,
} from '../../../../../cli/artifact/artifact-failure.ts';

/** That the work fails with exactly this code. */
export async function expectCode(work: Promise<unknown>, code: ArtifactCode): Promise<void> {
  const error = await work.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(ArtifactFailure);
  expect((error as ArtifactFailure).code).toBe(code);
}

export function findCode(work: () => unknown): ArtifactCode | undefined {
  try {
    work();
    return undefined;
  } catch (error) {
    if (error instanceof ArtifactFailure) return error.code;
    throw error;
  }
}
