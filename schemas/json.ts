import { z } from 'zod';

/** A JSON value. */
export const json = z.json();
export const jsonObject = z.record(z.string(), json);

export type Json = z.infer<typeof json>;
export type JsonObject = Record<string, Json>;
