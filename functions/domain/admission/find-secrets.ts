/** Kinds of secrets that no output and no note may hold (E36). Names, never the text that was found. */
const patterns: readonly { name: string; pattern: RegExp }[] = [
  { name: 'an AWS access key id', pattern: /(?<![A-Z0-9])(?:AKIA|ASIA)[A-Z0-9]{16}(?![A-Z0-9])/ },
  { name: 'a private key', pattern: /-----BEGIN (?:[A-Z0-9]+ )*PRIVATE KEY(?: BLOCK)?-----/ },
  {
    name: 'an AWS secret key',
    pattern: /aws_secret_access_key["'\s]*[=:]["'\s]*[A-Za-z0-9/+]{40}/i,
  },
];

export function findSecrets(text: string): string[] {
  return patterns.filter(({ pattern }) => pattern.test(text)).map(({ name }) => name);
}
