import { type Bar, technicals } from '../../../src/derive/technicals/technicals.ts';

export interface OhlcBar {
  readonly val: number;
  readonly open: number;
  readonly high: number;
  readonly low: number;
  readonly close: number;
}

/** Rows without a bar. */
export const valuesOnly = (values: readonly (number | null)[]): Bar[] => values.map((val) => ({ val }));

/** A complete bar of high, low and close; nothing reads its open. */
export const bar = (high: number, low: number, close: number): OhlcBar => ({
  val: close,
  open: close,
  high,
  low,
  close,
});

/** One column of a name that is computed, as plain numbers. */
export function columnOf(bars: readonly Bar[], name: string, field: string): number[] {
  return Array.from(technicals(bars, [name]).columns[field] ?? []);
}

/** Numbers in [0, 1) that are the same in every run. */
export function seeded(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

/** A market of bars that moves up to one per cent a day. */
export function randomBars(count: number, seed: number, start = 100): OhlcBar[] {
  const random = seeded(seed);
  let close = start;
  return Array.from({ length: count }, () => {
    const open = close;
    close *= 1 + (random() - 0.5) * 0.02;
    const high = Math.max(open, close) * (1 + random() * 0.004);
    const low = Math.min(open, close) * (1 - random() * 0.004);
    return { val: close, open, high, low, close };
  });
}
