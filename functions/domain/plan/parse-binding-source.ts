/** A binding as it is written, in its parts. */
export type BindingSource =
  | { kind: 'item' }
  | { kind: 'input'; input: string }
  | { kind: 'output'; node: string; output: string; item: boolean };

/** The text has the form of `bindingSource` in the plan schema. No node can be called `inputs`. */
export function parseBindingSource(text: string): BindingSource {
  if (text === 'item') return { kind: 'item' };
  const dot = text.indexOf('.');
  const from = text.slice(0, dot);
  const name = text.slice(dot + 1);
  if (from === 'inputs') return { kind: 'input', input: name };
  const item = from.endsWith('[item]');
  return {
    kind: 'output',
    node: item ? from.slice(0, -'[item]'.length) : from,
    output: name,
    item,
  };
}

/** The run input that a `for_each` goes over; undefined when it goes over a list of its own. */
export function parseForEachInput(forEach: string | readonly unknown[]): string | undefined {
  return typeof forEach === 'string' ? forEach.slice('inputs.'.length) : undefined;
}
