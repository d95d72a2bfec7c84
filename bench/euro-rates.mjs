// The file of euro rates that rows of the bench import: the official one where it lies, else one of the same shape that is made
// here, so that every row runs in any clone. Rows say which one it was.
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { benchFolder, seeded } from './support.mjs';

const OFFICIAL = process.env.MACRO_BENCH_RATES ?? join(benchFolder, '../../shared/data/ecb-reference-rates.csv');
const FIRST = Date.UTC(1999, 0, 4);
const LAST = Date.UTC(2026, 3, 13);
const DAY = 86_400_000;

/** Columns of the official file: the first rate of each currency, its decimals, and the years in which it was quoted. */
const CURRENCIES = [
  ['USD', 1.1789, 4],
  ['JPY', 133.73, 2],
  ['BGN', 1.9558, 4, 2000, 2025],
  ['CYP', 0.58231, 5, 1999, 2007],
  ['CZK', 35.107, 3],
  ['DKK', 7.4501, 4],
  ['EEK', 15.6466, 4, 1999, 2010],
  ['GBP', 0.7111, 5],
  ['HUF', 251.48, 2],
  ['LTL', 4.717, 4, 1999, 2014],
  ['LVL', 0.6668, 4, 1999, 2013],
  ['MTL', 0.4432, 4, 1999, 2007],
  ['PLN', 4.0712, 4],
  ['ROL', 13_111, 0, 1999, 2004],
  ['RON', 3.6, 4, 2006, 2026],
  ['SEK', 9.4696, 4],
  ['SIT', 189.045, 3, 1999, 2006],
  ['SKK', 42.991, 3, 1999, 2008],
  ['CHF', 1.6168, 4],
  ['ISK', 81.48, 2],
  ['NOK', 8.855, 4],
  ['HRK', 7.4, 4, 2001, 2022],
  ['RUB', 25.2, 4, 1999, 2021],
  ['TRL', 372_274, 0, 1999, 2004],
  ['TRY', 1.6, 4, 2005, 2026],
  ['AUD', 1.91, 4],
  ['BRL', 2.1, 4, 2008, 2026],
  ['CAD', 1.8004, 4],
  ['CNY', 9.7, 4, 2005, 2026],
  ['HKD', 9.1332, 4],
  ['IDR', 12_000, 2, 2005, 2026],
  ['ILS', 5.5, 4, 2011, 2026],
  ['INR', 57, 4, 2009, 2026],
  ['KRW', 1398.59, 2],
  ['MXN', 14, 4, 2008, 2026],
  ['MYR', 4.9, 4, 2005, 2026],
  ['NZD', 2.2229, 4],
  ['PHP', 70, 3, 2005, 2026],
  ['SGD', 1.9554, 4],
  ['THB', 50, 3, 2005, 2026],
  ['ZAR', 6.9358, 4],
];

/** The path of the file, and how a row names what is in it. */
export function euroRates() {
  if (existsSync(OFFICIAL)) return { path: OFFICIAL, words: 'official rates' };
  const path = join(benchFolder, '..', 'node_modules', '.macro-bench-rates.csv');
  writeFileSync(path, madeRates());
  return { path, words: 'made rates of the official shape' };
}

/** Newest day first, a comma behind every line, `N/A` where a currency was not quoted: as the official file. */
function madeRates() {
  const random = seeded(1999);
  const walked = CURRENCIES.map(([, rate]) => rate);
  const lines = [];
  for (let at = FIRST; at <= LAST; at += DAY) {
    const day = new Date(at);
    if (day.getUTCDay() % 6 === 0) continue;
    const year = day.getUTCFullYear();
    const cells = CURRENCIES.map(([, , decimals, from = 1999, to = 2026], i) => {
      walked[i] *= 1 + (random() - 0.5) * 0.006;
      return year >= from && year <= to ? String(Number(walked[i].toFixed(decimals))) : 'N/A';
    });
    lines.push(`${day.toISOString().slice(0, 10)},${cells.join(',')},`);
  }
  return `Date,${CURRENCIES.map(([name]) => name).join(',')},\n${lines.reverse().join('\n')}\n`;
}
