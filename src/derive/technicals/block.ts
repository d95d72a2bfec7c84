import type { BarSource } from './bar.ts';

/**
 * Rows that are taken in one go. A unit that keeps to its own loop for so long runs several times as fast as one that
 * takes turns with 16 others at every row, and the prices of a block stay in the processor's nearest cache.
 */
export const BLOCK_ROWS = 256;

/** A stretch of bars, oldest first: their rows in the series and their prices. */
export interface Block {
  /** How many there are; the arrays may be longer. */
  length: number;
  /** The first of them whose results are asked for; before it only what later ones rest on is worked out. */
  wanted: number;
  readonly rows: Int32Array;
  readonly highs: Float64Array;
  readonly lows: Float64Array;
  readonly closes: Float64Array;
}

/** One indicator family on its way through a series, block by block. */
export interface Unit {
  /** Works out the results of every bar of the block, NaN where there is none. */
  take(block: Block): void;
  /** What the last block gave, one array a field; they are used over and over. */
  readonly outputs: readonly Float64Array[];
}

/** Room for one number a bar of a block. */
export function blockColumn(): Float64Array {
  return new Float64Array(BLOCK_ROWS);
}

/**
 * Calls `take` with every block of a series, results being asked for from a row on. One block is used over and over: it
 * holds until `take` returns.
 */
export function forEachBlock(bars: BarSource, firstRow: number, take: (block: Block) => void): void {
  const [highs, lows, closes] = [blockColumn(), blockColumn(), blockColumn()];
  const block = { length: 0, wanted: 0, rows: new Int32Array(BLOCK_ROWS), highs, lows, closes };
  for (let from = 0; from < bars.length; from += BLOCK_ROWS) {
    fillBlock(block, bars, from);
    while (block.wanted < block.length && (block.rows[block.wanted] ?? 0) < firstRow) block.wanted += 1;
    take(block);
  }
}

/** A row without a value is no bar and is left out; without a complete bar the value stands for all prices. */
function fillBlock(block: Block, bars: BarSource, from: number): void {
  const end = Math.min(from + BLOCK_ROWS, bars.length);
  let count = 0;
  for (let row = from; row < end; row += 1) {
    const val = bars.val(row);
    if (!isPrice(val)) continue;
    const high = bars.high(row);
    const low = bars.low(row);
    const close = bars.close(row);
    const whole = isPrice(high) && isPrice(low) && isPrice(close);
    block.rows[count] = row;
    block.highs[count] = whole ? high : val;
    block.lows[count] = whole ? low : val;
    block.closes[count] = whole ? close : val;
    count += 1;
  }
  block.length = count;
  block.wanted = 0;
}

function isPrice(value: number | null | undefined): value is number {
  return typeof value === 'number' && Number.isFinite(value);
}
