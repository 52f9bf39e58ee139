const named = process.env['WINDLASS_PROPERTY_SEED'];
const seed = named === undefined ? Math.floor(Math.random() * 2 ** 31) : Number(named);

console.log(`property seed ${String(seed)}; WINDLASS_PROPERTY_SEED=${String(seed)} repeats it`);

/** Parameters of every property: the seed is printed before anything runs, and can be given again. */
export function propertyParameters(numRuns: number): { seed: number; numRuns: number } {
  return { seed, numRuns };
}
