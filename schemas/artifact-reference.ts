import { z } from 'zod';
import { parseArtifactReference } from './parse-artifact-reference.ts';

/** The text form of a reference to one exact revision of an attachment (A7). */
export const artifactReference = z
  .string()
  .max(300)
  .refine((text) => parseArtifactReference(text) !== undefined, 'is not an artifact reference');
