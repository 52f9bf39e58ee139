/** A place in a text as people count it. Both from 1; `lineText` is the whole line. */
export interface TextPlace {
  line: number;
  column: number;
  lineText: string;
}

/** Tells where in the text an offset is. Looks for the lines once, however many places are asked for. */
export function createLocator(text: string): (offset: number) => TextPlace {
  const starts = [0];
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  return (offset) => {
    let [low, high] = [0, starts.length - 1];
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if ((starts[middle] ?? 0) <= offset) low = middle;
      else high = middle - 1;
    }
    const start = starts[low] ?? 0;
    const lineText = text.slice(start, (starts[low + 1] ?? text.length + 1) - 1);
    return { line: low + 1, column: offset - start + 1, lineText };
  };
}
