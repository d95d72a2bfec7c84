import { existsSync, readFileSync } from 'node:fs';

/** Official series that lie beside the project on some machines; they are no part of it. */
const FOLDER = '../shared/data';

export const hasOfficialData = existsSync(`${FOLDER}/ecb-reference-rates.csv`);

/** Euro reference rates of a currency as published, oldest first. */
export function euroRates(currency: string): readonly { readonly date: string; readonly rate: string }[] {
  const [head = '', ...lines] = readFileSync(`${FOLDER}/ecb-reference-rates.csv`, 'utf8').trim().split('\n');
  const column = head.split(',').indexOf(currency);
  return lines
    .map((line) => line.split(','))
    .map((cells) => ({ date: cells[0] ?? '', rate: cells[column] ?? 'N/A' }))
    .filter(({ rate }) => rate !== 'N/A')
    .reverse();
}

/** Monthly prices of gold as published, oldest first. */
export function goldPrices(): readonly string[] {
  const [, ...lines] = readFileSync(`${FOLDER}/gold-usd-monthly.csv`, 'utf8').trim().split('\n');
  return lines.map((line) => line.split(',')[1]?.trim() ?? '');
}

const SCALE = 12;

/** A decimal as a whole number of units of 10^-12. */
export function units(text: string): bigint {
  const [whole = '0', fraction = ''] = text.split('.');
  return BigInt(whole + fraction.padEnd(SCALE, '0').slice(0, SCALE));
}

/**
 * The z-score of the last of some values in exact arithmetic, by sums and sums of squares: a way that shares nothing with
 * the deviations from the mean that the program adds up. Only the last division and the root are doubles.
 */
export function exactScore(values: readonly bigint[]): number {
  const n = BigInt(values.length);
  const sum = values.reduce((total, value) => total + value, 0n);
  const squares = values.reduce((total, value) => total + value * value, 0n);
  const last = values.at(-1) ?? 0n;
  const distance = n * last - sum;
  // (x - mean) / s = (n x - sum) / sqrt(n / (n - 1) * (n * squares - sum^2)), all of it whole until here.
  const variance = n * squares - sum * sum;
  if (variance === 0n) return 0;
  return Number(distance) / Math.sqrt((Number(n) / Number(n - 1n)) * Number(variance));
}

/** a / b with six decimals, ties to even, in units of 10^-12. */
export function quotient(a: bigint, b: bigint): bigint {
  const scaled = a * 1_000_000n;
  const cut = scaled / b;
  const twice = (scaled - cut * b) * 2n;
  const up = twice > b || (twice === b && cut % 2n === 1n);
  return (up ? cut + 1n : cut) * 1_000_000n;
}
