import { lookup } from 'mime-types';
import { isMediaType } from '../../schemas/media-type-grammar.ts';

const unknown = 'application/octet-stream';

/** The registered media type of a file name's extension, in lower case and without parameters. */
export function chooseMediaType(filename: string): string {
  const found = lookup(filename);
  const type = found === false ? unknown : found.toLowerCase();
  return isMediaType(type) ? type : unknown;
}
