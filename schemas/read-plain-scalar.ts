/** Forms of a number in YAML's core schema. https://yaml.org/spec/1.2.2/#1032-tag-resolution */
const decimal = /^[-+]?(\.\d+|\d+(\.\d*)?)([eE][-+]?\d+)?$/;
const octal = /^0o[0-7]+$/;
const hexadecimal = /^0x[0-9a-fA-F]+$/;
const special = /^([-+]?\.(inf|Inf|INF)|\.(nan|NaN|NAN))$/;

/** What is read as null, true or false and is not written so. */
const otherWords = new Set(['', '~', 'Null', 'NULL', 'True', 'TRUE', 'False', 'FALSE']);

/** A plain text that means a number beyond all that are finite: it would stay a text. */
export function isOverflowing(text: string): boolean {
  return decimal.test(text) && !Number.isFinite(Number(text));
}

/** A plain key that means a number or a word, whose own spelling is another one: that would become the key. */
export function isMisreadKey(text: string): boolean {
  if (otherWords.has(text) || octal.test(text) || hexadecimal.test(text) || special.test(text))
    return true;
  return decimal.test(text) && String(Number(text)) !== text;
}
