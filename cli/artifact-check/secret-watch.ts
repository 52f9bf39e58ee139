const secretNames = /TOKEN|SECRET|PASSWORD|PASSWD|CREDENTIAL|API_?KEY|ACCESS_?KEY|PRIVATE_?KEY/i;
/** A shorter value turns up by chance. */
const shortestCharacters = 8;

/** Looks for values of the environment whose variables are named like credentials in what an adapter prints (A60). */
export class SecretWatch {
  readonly #secrets: [name: string, value: Buffer][];
  readonly #seen = new Set<string>();

  constructor(env: NodeJS.ProcessEnv) {
    this.#secrets = Object.entries(env).flatMap(([name, value = '']) =>
      secretNames.test(name) && value.length >= shortestCharacters
        ? [[name, Buffer.from(value)] as [string, Buffer]]
        : [],
    );
  }

  get variables(): number {
    return this.#secrets.length;
  }

  /** Names of the variables whose value was printed. */
  get seen(): string[] {
    return [...this.#seen];
  }

  watch(output: Buffer): void {
    for (const [name, value] of this.#secrets) if (output.includes(value)) this.#seen.add(name);
  }
}
