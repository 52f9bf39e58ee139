import type { Json } from '../../../schemas/json.ts';

const placeholder = '{{item}}';

/**
 * The params with the item in the place of every `{{item}}`: a text that is nothing else becomes the item itself, within a
 * longer text a text item stands as it is and any other as JSON.
 */
export function fillItem(params: Json, item: Json): Json {
  if (typeof params === 'string') return fillText(params, item);
  if (Array.isArray(params)) return params.map((part) => fillItem(part, item));
  if (typeof params !== 'object' || params === null) return params;
  return Object.fromEntries(
    Object.entries(params).map(([name, part]) => [name, fillItem(part, item)]),
  );
}

/** How often the item stands in the params. */
export function countPlaceholders(params: Json): number {
  if (typeof params === 'string') return params.split(placeholder).length - 1;
  if (typeof params !== 'object' || params === null) return 0;
  return Object.values(params).reduce<number>((sum, part) => sum + countPlaceholders(part), 0);
}

function fillText(text: string, item: Json): Json {
  if (text === placeholder) return item;
  return text.replaceAll(placeholder, () =>
    typeof item === 'string' ? item : JSON.stringify(item),
  );
}
