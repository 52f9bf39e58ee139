/** The id of the item's node, items counted from 1: `extract-0001`. */
export function nameExpandedNode(writtenId: string, item: number): string {
  return `${writtenId}-${String(item).padStart(4, '0')}`;
}
