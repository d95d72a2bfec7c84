import { numberTextIn } from '../../../src/contract/json/body.ts';
import { type BarColumns, technicals } from '../../../src/derive/technicals/technicals.ts';

type Price = number | null | undefined;

/** A daily row: a value, and a bar where there were enough observations for one. */
export interface Bar {
  readonly val: number | null;
  readonly open?: Price;
  readonly high?: Price;
  readonly low?: Price;
  readonly close?: Price;
}

/** Indicators of bars, oldest first, and those of a row as an answer spells them. */
export function technicalsOf(
  given: readonly Bar[] | BarColumns,
  ...asked: [names?: readonly string[], first?: number]
) {
  const computed = technicals('vals' in given ? given : columnsOf(given), ...asked);
  const rowTexts = (row: number) => computed.fields.map((_, column) => numberTextIn(computed.rowNumbers(row), column));
  return { ...computed, rowTexts };
}

function columnsOf(bars: readonly Bar[]): BarColumns {
  const column = (name: 'val' | 'high' | 'low' | 'close') => Float64Array.from(bars, (bar) => bar[name] ?? Number.NaN);
  return { vals: column('val'), highs: column('high'), lows: column('low'), closes: column('close') };
}

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
  return Array.from(technicalsOf(bars, [name]).columns[field] ?? []);
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
