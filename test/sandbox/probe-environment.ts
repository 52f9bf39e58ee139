import { createHash } from 'node:crypto';

/** Copies its inputs to an output, in capitals, with the parameter in front. */
export const TOOL = `
import { readFileSync, writeFileSync } from 'node:fs';
const inputs = JSON.parse(readFileSync('inputs.json'));
const { prefix } = JSON.parse(readFileSync('params.json'));
const text = [inputs.main, ...inputs.extra].map((input) => readFileSync(input.path, 'utf8')).join('+');
writeFileSync('outputs/report', prefix + text.toUpperCase());
console.log(inputs.main.filename, inputs.extra.length);
`;

export const digest = (text: string): string => createHash('sha256').update(text).digest('hex');

/** `environment.json` with an honest command and several that try something; `exchange` is what one looks for. */
export function renderManifest(exchange: string): string {
  const node = '/opt/node/bin/node';
  const fixed = { tool: 'tool.mjs', tool_sha256: digest(TOOL) };
  const shell = (script: string) => ({ argv: ['/bin/sh', '-c', script], ...fixed });
  const mount = "import ctypes; ctypes.CDLL(None).mount(b'a', b'/tmp', b'tmpfs', 0, 0)";
  const manifest = {
    name: 'probe',
    version: '1.0.0',
    commands: {
      REPORT: { argv: [node, '/opt/environment/tool.mjs'], ...fixed },
      LINK: shell('ln -s /etc/passwd outputs/report; echo x > outputs/other'),
      REPLACE: shell('rmdir outputs; ln -s /etc outputs'),
      FAIL: shell('echo partly > outputs/report; exit 4'),
      SLEEP: shell('echo begun; exec sleep 600'),
      REACH: shell(
        `ls -d ${exchange} /proc/1/root/tmp 2>&1; env; cat /proc/*/environ 2>/dev/null; true`,
      ),
      SPOIL: shell('echo x > inputs/main; echo x > params.json; rm -rf inputs; true'),
      ATTACK: { argv: ['/usr/bin/python3', '-c', mount], ...fixed },
    },
  };
  return JSON.stringify(manifest);
}
