const calls = /(?<!npx )\bwindlass (?=(?:run|artifact|board|task|plan|local|doctor|help)\b)/g;

/**
 * The text with commands as this shell can repeat them. Inside a repository only `npx windlass` is found, and npm tells
 * its children that it started them so. https://docs.npmjs.com/cli/commands/npx
 */
export function nameProgram(text: string, env: NodeJS.ProcessEnv = process.env): string {
  return env['npm_lifecycle_event'] === 'npx' ? text.replace(calls, 'npx windlass ') : text;
}
