import { z } from 'zod';
import { artifactReference } from './artifact-reference.ts';
import { fileName } from './artifact.ts';
import { boardName, portName, sha256Hex } from './ids.ts';
import { mediaType } from './media-type.ts';
import { amountsOnWire, startRunBody, uploadedFile } from './public-api.ts';

/** A file that is not stored yet, as it would be handed in. That it is too large is a fault of the plan, as in a start. */
const describedFile = z.strictObject({
  /** Tells the two forms apart: what has a key is stored. */
  key: z.never().optional(),
  filename: fileName,
  media_type: mediaType,
  size: z.int().nonnegative(),
});
export type DescribedFile = z.infer<typeof describedFile>;

/**
 * A file that a run would take in: what is said of a file that is not stored, or what a start takes. The described form is
 * first because of equally many faults in each the first is told: a name and a type without a size are a description.
 */
const checkedInputFile = z.union([describedFile, uploadedFile, artifactReference]);
export type CheckedInputFile = z.infer<typeof checkedInputFile>;
const checkedInputs = z.record(
  portName,
  z.union([describedFile, uploadedFile, artifactReference, z.array(checkedInputFile).min(1)]),
);
export type CheckedInputs = z.infer<typeof checkedInputs>;

/** `POST /boards/{board}/plan-checks`. The plan as a start takes it. */
export const planCheckBody = z.strictObject({
  plan: startRunBody.shape.plan,
  inputs: checkedInputs.optional(),
});

/** A plan that a start would take now. */
export const planCheckAnswer = z.strictObject({
  board: boardName,
  name: z.string(),
  /** The plan that such a run would have; null while a file of it is only described, and so has no version. */
  plan_sha256: sha256Hex.nullable(),
  /** With every `for_each` expanded. */
  nodes: z.int(),
  deliverables: z.int(),
  budget: z.strictObject({
    limit: amountsOnWire,
    /** The most that is used when each node is accepted at its first attempt; more only for retries. */
    first_attempts: amountsOnWire,
  }),
});
