/** How the values of a series move from one period to the next. Only sums and products: engines cannot round them apart. */
export type RandomWalk =
  /** Pulled back to a mean: rates, surveys, balances. */
  | {
      readonly kind: 'around';
      readonly mean: number;
      readonly swing: number;
      readonly pull: number;
      readonly floor?: number;
    }
  /** A level that grows. */
  | { readonly kind: 'growth'; readonly start: number; readonly drift: number; readonly swing: number }
  /** A rate that is set: it stays, or moves by quarters of a point towards its mean. */
  | { readonly kind: 'steps'; readonly mean: number }
  /** Yearly change of a price index that moves monthly around a target. */
  | { readonly kind: 'prices'; readonly target: number; readonly swing: number };

/** The result of a walk, oldest first. */
export interface WalkedValues {
  readonly values: readonly number[];
  /** Monthly change in per cent, for walks of prices. */
  readonly monthly?: readonly number[];
}
/** Random numbers, equal on every machine, seeded by name: a new series changes no other. */
export interface Stream {
  /** In [0, 1). */
  uniform(): number;
  /** Mean 0, variance 1, within about 3.5: a sum of uniforms, because it needs no function that engines may round apart. */
  normal(): number;
}

/** The first `count` values of a walk. More of them never changes the earlier ones. */
export function randomWalk(model: RandomWalk, stream: Stream, count: number): WalkedValues {
  switch (model.kind) {
    case 'around':
      return { values: around(model, stream, count) };
    case 'growth':
      return { values: growth(model, stream, count) };
    case 'steps':
      return { values: steps(model.mean, stream, count) };
    case 'prices':
      return prices(model, stream, count);
  }
}

function around(model: RandomWalk & { kind: 'around' }, stream: Stream, count: number): readonly number[] {
  const { mean, swing, pull, floor = Number.NEGATIVE_INFINITY } = model;
  let value = mean + swing * stream.normal();
  return Array.from({ length: count }, () => {
    value = Math.max(value + pull * (mean - value) + swing * stream.normal(), floor);
    return value;
  });
}

function growth(model: RandomWalk & { kind: 'growth' }, stream: Stream, count: number): readonly number[] {
  let value = model.start;
  return Array.from({ length: count }, () => {
    value *= 1 + model.drift + model.swing * stream.normal();
    return value;
  });
}

function steps(mean: number, stream: Stream, count: number): readonly number[] {
  let value = Math.round(mean * 4) / 4;
  return Array.from({ length: count }, () => {
    const urge = stream.uniform();
    const up = stream.uniform() < 0.5 - (value - mean) / (mean + 4);
    if (urge < 0.35) value = Math.max(value + (up ? 0.25 : -0.25), -0.5);
    return value;
  });
}

function prices(model: RandomWalk & { kind: 'prices' }, stream: Stream, count: number): WalkedValues {
  const usual = model.target / 12;
  let change = usual;
  // A year before the first value, so that it has twelve months to look back on.
  const months = Array.from({ length: count + 12 }, () => {
    change += 0.2 * (usual - change) + model.swing * stream.normal();
    return change;
  });
  const values = Array.from({ length: count }, (_, i) => {
    const year = months.slice(i + 1, i + 13).reduce((product, month) => product * (1 + month / 100), 1);
    return (year - 1) * 100;
  });
  return { values, monthly: months.slice(12) };
}

export function printed(value: number, decimals: number): number {
  const unit = 10 ** decimals;
  const rounded = Math.round(value * unit) / unit;
  return rounded === 0 ? 0 : rounded; // no minus zero
}

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
