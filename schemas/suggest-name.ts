const farthest = 3;

/** `; did you mean "x"?` for the nearest of the known names, or a full stop when none is near. */
export function suggestName(name: string, known: Iterable<string>): string {
  const nearest = findNearest(name, known);
  return nearest === undefined ? '.' : `; did you mean "${nearest}"?`;
}

/** The known name with the fewest edits, at most three and fewer than half of the name; of equals the smallest. */
function findNearest(name: string, known: Iterable<string>): string | undefined {
  let nearest: string | undefined;
  let least = Math.min(farthest, Math.floor(name.length / 2));
  for (const candidate of known) {
    if (Math.abs(candidate.length - name.length) > least) continue;
    const edits = countEdits(name, candidate, least);
    if (edits > least) continue;
    if (edits === least && nearest !== undefined && nearest <= candidate) continue;
    nearest = candidate;
    least = edits;
  }
  return nearest;
}

/** The Levenshtein distance, or something above `most` as soon as it must be. */
function countEdits(left: string, right: string, most: number): number {
  let row = Array.from({ length: right.length + 1 }, (_, column) => column);
  for (let place = 1; place <= left.length; place += 1) {
    const next = [place];
    let smallest = place;
    for (let column = 1; column <= right.length; column += 1) {
      const change = left[place - 1] === right[column - 1] ? 0 : 1;
      const edits = Math.min(
        (row[column] ?? 0) + 1,
        (next[column - 1] ?? 0) + 1,
        (row[column - 1] ?? 0) + change,
      );
      next.push(edits);
      smallest = Math.min(smallest, edits);
    }
    if (smallest > most) return smallest;
    row = next;
  }
  return row[right.length] ?? 0;
}
