/** A flag that is misspelt would take down what was to be kept. */
export function readFlags(flags: string[]): { keep: boolean } {
  const unknown = flags.find((flag) => flag !== '--keep');
  // npm takes a flag without -- in front for its own.
  const forgotten = process.env['npm_config_keep'] !== undefined;
  if (unknown === undefined && !forgotten) return { keep: flags.includes('--keep') };
  process.stderr.write(
    `${forgotten ? '--keep' : String(unknown)}: the demo knows one flag: npm run demo -- --keep\n`,
  );
  process.exit(2);
}
