import { lookup } from 'mime-types';
import { mediaType } from '../../schemas/media-type.ts';

const unknown = 'application/octet-stream';

/** The registered media type of a file name's extension, in lower case and without parameters. */
export function chooseMediaType(filename: string): string {
  const found = lookup(filename);
  if (found === false) return unknown;
  const parsed = mediaType.safeParse(found.toLowerCase());
  return parsed.success ? parsed.data : unknown;
}
