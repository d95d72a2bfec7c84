/**
 * Random numbers that are the same on every machine: plain arithmetic, seeded by a name, so that each series draws from
 * a stream of its own and a new series changes no other.
 */
export interface Stream {
  /** In [0, 1). */
  uniform(): number;
  /** Mean 0, variance 1, within about 3.5: a sum of uniforms, because it needs no function that engines may round apart. */
  normal(): number;
}

/** The stream of a name under a seed. */
export function streamOf(seed: number, name: string): Stream {
  let state = hashOf(seed, name);
  // mulberry32: one 32-bit word of state, good enough for prices that nobody trades on.
  const uniform = () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
  const normal = () => (uniform() + uniform() + uniform() + uniform() - 2) * 1.7320508075688772;
  return { uniform, normal };
}

/** A 32-bit number that depends on the seed and every character of the name (FNV-1a with a final mix). */
export function hashOf(seed: number, name: string): number {
  let hash = (0x811c9dc5 ^ seed) | 0;
  for (let i = 0; i < name.length; i += 1) hash = Math.imul(hash ^ name.charCodeAt(i), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}
