import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { callOrFail } from './call-program.ts';

/** An idle worker: nothing is dispatched to it, it reaches no network, and its state is in one volume. */
function renderComposeFile(image: string): string {
  const hermes = {
    image: image.replaceAll('$', '$$$$'),
    entrypoint: ['sleep'],
    command: ['infinity'],
    init: true,
    network_mode: 'none',
    healthcheck: { disable: true },
    environment: { HERMES_HOME: '/opt/data', HOME: '/opt/data', HERMES_PROFILE: 'not-the-default' },
    volumes: ['state:/opt/data'],
  };
  // Every JSON document is a YAML document.
  return JSON.stringify({ services: { hermes }, volumes: { state: {} } }, undefined, 2);
}

/** A Compose project that exists for one check, with a name that no other project has. */
export class WorkerProject {
  readonly name = `windlass-check-${randomBytes(6).toString('hex')}`;
  readonly folder = mkdtempSync(join(tmpdir(), 'windlass-compose-check-'));
  readonly environment: Record<string, string>;

  constructor(image: string) {
    const file = join(this.folder, 'compose.yaml');
    writeFileSync(file, renderComposeFile(image));
    this.environment = { COMPOSE_FILE: file, COMPOSE_PROJECT_NAME: this.name };
  }

  async start(): Promise<void> {
    await this.#compose('up', '--detach', '--wait', '--no-build');
  }

  /** Takes the project down with its volume, and fails when anything of it is still there. */
  async remove(): Promise<void> {
    try {
      await this.#compose('down', '--volumes', '--remove-orphans', '--timeout', '5');
      const left = await this.#listLeftovers();
      if (left.length > 0) throw new Error(`of project ${this.name} there is left: ${left.join()}`);
    } finally {
      rmSync(this.folder, { recursive: true, force: true });
    }
  }

  async #listLeftovers(): Promise<string[]> {
    const own = ['--quiet', '--filter', `label=com.docker.compose.project=${this.name}`];
    const listings = [
      ['ps', '--all', ...own],
      ['volume', 'ls', ...own],
      ['network', 'ls', ...own],
    ];
    const outputs = await Promise.all(
      listings.map(async (words) => await callOrFail(['docker', ...words], this.environment)),
    );
    return outputs.flatMap((output) => output.toString().split('\n')).filter((id) => id !== '');
  }

  async #compose(...words: string[]): Promise<void> {
    await callOrFail(['docker', 'compose', '-p', this.name, ...words], this.environment);
  }
}
