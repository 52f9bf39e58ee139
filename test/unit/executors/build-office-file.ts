import { strToU8, zipSync } from 'fflate';

export const docxMediaType =
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document';
export const pptxMediaType =
  'application/vnd.openxmlformats-officedocument.presentationml.presentation';

const word = 'http://schemas.openxmlformats.org/wordprocessingml/2006/main';
const relations = 'http://schemas.openxmlformats.org/package/2006/relationships';
const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const drawing = 'http://schemas.openxmlformats.org/drawingml/2006/main';
const slides = 'http://schemas.openxmlformats.org/presentationml/2006/main';

export type Parts = Record<string, string | Uint8Array>;

export function zip(parts: Parts): Uint8Array {
  const bytes = Object.entries(parts).map(
    ([name, content]) => [name, typeof content === 'string' ? strToU8(content) : content] as const,
  );
  return zipSync(Object.fromEntries(bytes), { mtime: new Date(1980, 0, 1) });
}

function relate(entries: [id: string, type: string, target: string][]): string {
  const items = entries.map(
    ([id, type, target]) =>
      `<Relationship Id="${id}" Type="${office}/${type}" Target="${target}"/>`,
  );
  return `<Relationships xmlns="${relations}">${items.join('')}</Relationships>`;
}

const contentTypes =
  '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"/>';

/** Parts of a DOCX with this inside of its body. */
export function docxParts(body: string): Parts {
  return {
    '[Content_Types].xml': contentTypes,
    '_rels/.rels': relate([['r1', 'officeDocument', 'word/document.xml']]),
    'word/document.xml': `<w:document xmlns:w="${word}"><w:body>${body}</w:body></w:document>`,
  };
}

export function docxParagraph(text: string): string {
  return `<w:p><w:r><w:t>${text}</w:t></w:r></w:p>`;
}

/** Parts of a PPTX with a slide for each shape tree; `order` lists their numbers as shown. */
export function pptxParts(trees: string[], order = trees.map((_, index) => index + 1)): Parts {
  const names = trees.map((_, index) => `slides/slide${String(index + 1)}.xml`);
  const listed = order.map((number) => `<p:sldId id="9" r:id="s${String(number)}"/>`).join('');
  return {
    '[Content_Types].xml': contentTypes,
    '_rels/.rels': relate([['r1', 'officeDocument', 'ppt/presentation.xml']]),
    'ppt/presentation.xml': `<p:presentation xmlns:p="${slides}" xmlns:r="${office}"><p:sldIdLst>${listed}</p:sldIdLst></p:presentation>`,
    'ppt/_rels/presentation.xml.rels': relate(
      names.map((name, index) => [`s${String(index + 1)}`, 'slide', name]),
    ),
    ...Object.fromEntries(
      trees.map((tree, index) => [
        `ppt/${names[index] ?? ''}`,
        `<p:sld xmlns:p="${slides}" xmlns:a="${drawing}"><p:cSld><p:spTree>${tree}</p:spTree></p:cSld></p:sld>`,
      ]),
    ),
  };
}

export function pptxShape(placeholder: string | null, ...texts: string[]): string {
  const mark = placeholder === null ? '' : `<p:ph type="${placeholder}"/>`;
  const lines = texts.map((text) => `<a:p><a:r><a:t>${text}</a:t></a:r></a:p>`).join('');
  return `<p:sp><p:nvSpPr><p:nvPr>${mark}</p:nvPr></p:nvSpPr><p:txBody>${lines}</p:txBody></p:sp>`;
}
