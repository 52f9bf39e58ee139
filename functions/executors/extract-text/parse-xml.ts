import { XMLParser } from 'fast-xml-parser';
import { FunctionFailure } from '../function-failure.ts';
import { functionLimits } from '../function-limits.ts';

export interface XmlElement {
  /** Name without its prefix: office writers choose their own prefixes. */
  name: string;
  /** By the name as written; `r:id` and `id` are two attributes. */
  attributes: Record<string, string>;
  children: XmlElement[];
  /** Text directly inside, without that of children. */
  text: string;
}

const parser = new XMLParser({
  preserveOrder: true,
  ignoreAttributes: false,
  attributeNamePrefix: '',
  textNodeName: '#text',
  trimValues: false,
  parseTagValue: false,
  parseAttributeValue: false,
  processEntities: false,
  maxNestedTags: functionLimits.xmlDepth,
});

/** Parses a part that `checkXml` has passed. Throws `INPUT_INVALID` where it is not well-formed. */
export function parseXml(part: string, text: string): XmlElement {
  let nodes: unknown;
  try {
    nodes = parser.parse(text);
  } catch (error) {
    throw new FunctionFailure(
      'INPUT_INVALID',
      `the document's part ${part} is not well-formed XML`,
      {
        cause: error,
      },
    );
  }
  const root = convertNodes(nodes as RawNode[]).children.find((node) => !node.name.startsWith('?'));
  if (root !== undefined) return root;
  throw new FunctionFailure('INPUT_INVALID', `the document's part ${part} has no element`);
}

export function findChild(element: XmlElement | undefined, name: string): XmlElement | undefined {
  return element?.children.find((child) => child.name === name);
}

export function listDescendants(element: XmlElement, name: string): XmlElement[] {
  return element.children.flatMap((child) =>
    child.name === name ? [child] : listDescendants(child, name),
  );
}

type RawNode = Record<string, unknown>;

function convertNodes(nodes: RawNode[]): { children: XmlElement[]; text: string } {
  const children: XmlElement[] = [];
  let text = '';
  for (const node of nodes) {
    const name = Object.keys(node).find((key) => key !== ':@');
    if (name === '#text') {
      text += decodeEntities(String(node[name]));
    } else if (name !== undefined) {
      const inner = convertNodes(node[name] as RawNode[]);
      const raw = (node[':@'] ?? {}) as Record<string, string>;
      const attributes = Object.fromEntries(
        Object.entries(raw).map(([key, value]) => [key, decodeEntities(value)]),
      );
      children.push({ name: name.slice(name.indexOf(':') + 1), attributes, ...inner });
    }
  }
  return { children, text };
}

const entities: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
};

/** XML's own five and character numbers: there is no other entity without a document type. */
function decodeEntities(text: string): string {
  if (!text.includes('&')) return text;
  return text.replace(/&(?:#x([0-9a-f]{1,6})|#(\d{1,7})|(\w+));/gi, (whole, hex, decimal, name) => {
    if (typeof name === 'string') return entities[name] ?? whole;
    const point = typeof hex === 'string' ? parseInt(hex, 16) : Number(decimal);
    return point <= 0x10ffff ? String.fromCodePoint(point) : '\uFFFD';
  });
}
