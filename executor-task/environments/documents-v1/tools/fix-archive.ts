import { strFromU8, strToU8, unzipSync, zipSync } from 'fflate';

/** The earliest date that a ZIP can hold, in local time, because that is what a ZIP stores. */
const entryDate = new Date(1980, 0, 1);
const propertyDate = '1980-01-01T00:00:00Z';
const propertiesPart = 'docProps/core.xml';

/** Packs a Word document again without the moment of its making, so that equal content is equal bytes. */
export function fixArchive(archive: Uint8Array): Uint8Array {
  const parts = unzipSync(archive);
  const properties = parts[propertiesPart];
  if (properties !== undefined) {
    parts[propertiesPart] = strToU8(
      strFromU8(properties).replace(
        /(<dcterms:(?:created|modified)[^>]*>)[^<]*/g,
        `$1${propertyDate}`,
      ),
    );
  }
  return zipSync(parts, { level: 9, mtime: entryDate });
}
