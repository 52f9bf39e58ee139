import { posix } from 'node:path';
import type { OfficePackage } from './open-office-package.ts';
import { parseXml } from './parse-xml.ts';

export interface Relationship {
  id: string;
  /** Last segment of the type's address: transitional and strict documents differ in the rest. */
  type: string;
  /** Path of the target inside the package. */
  target: string;
}

/** The relationships of a part, or of the package for `''`. Ones that lead outside the package are left out. */
export function listRelationships(source: OfficePackage, part: string): Relationship[] {
  const folder = posix.dirname(part === '' ? 'x' : part);
  const name = posix.join(folder, '_rels', `${posix.basename(part)}.rels`);
  if (!source.has(name)) return [];
  return parseXml(name, source.readXml(name)).children.flatMap(({ attributes }) => {
    const { Id: id = '', Type: type = '', Target: target = '', TargetMode: mode } = attributes;
    if (mode === 'External') return [];
    // Resolving against a root keeps any number of `..` inside the package.
    const path = posix.resolve('/', folder, target).slice(1);
    return source.has(path) ? [{ id, type: posix.basename(type), target: path }] : [];
  });
}

export function findRelatedPart(source: OfficePackage, part: string, type: string): string | null {
  return listRelationships(source, part).find((entry) => entry.type === type)?.target ?? null;
}

/** `dc:title` of the core properties. */
export function readTitleProperty(source: OfficePackage): string | null {
  const part = findRelatedPart(source, '', 'core-properties');
  if (part === null) return null;
  const properties = parseXml(part, source.readXml(part));
  return properties.children.find((child) => child.name === 'title')?.text ?? null;
}
