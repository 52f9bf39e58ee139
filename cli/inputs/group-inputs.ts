/**
 * Files under the names of their inputs, in the order in which they come.
 * @param lists names of inputs that take a list, whatever number of files is given
 */
export function groupInputs<File>(
  named: readonly { input: string; named: File }[],
  lists: ReadonlySet<string>,
): Record<string, File | File[]> {
  const files = new Map<string, File[]>();
  for (const each of named) files.set(each.input, [...(files.get(each.input) ?? []), each.named]);
  return Object.fromEntries(
    [...files].map(([input, all]) => {
      const [only] = all;
      const isOne = only !== undefined && all.length === 1 && !lists.has(input);
      return [input, isOne ? only : all];
    }),
  );
}
