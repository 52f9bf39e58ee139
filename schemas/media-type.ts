import { z } from 'zod';
import { mediaTypeGrammar } from './media-type-grammar.ts';

/** `type/subtype` without parameters, in lower case. */
export const mediaType = z.string().max(mediaTypeGrammar.longest).regex(mediaTypeGrammar.grammar);
