import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Changes of payrolls in 12 vintages of ALFRED, one for each month, see test/fixtures/official/README.md. */
const TABLE = readFileSync(join(import.meta.dirname, '../fixtures/official/alfred-payems-change-2021.csv'), 'utf8')
  .trimEnd()
  .split('\n')
  .map((line) => line.split(','));

const VINTAGES = (TABLE[0] ?? []).slice(1).map((title) => title.slice(-8));

/** The days of all vintages of the excerpt, such as `20210305`. */
export const ALL_PAYROLLS: readonly string[] = VINTAGES.toSorted();

/**
 * The file that somebody gets who chooses some of the vintages. The months before the excerpt are made up: with them the
 * file begins where the history does, and is whole.
 */
export function chosenPayrolls(...vintages: readonly string[]): string {
  const places = vintages.map((day) => VINTAGES.indexOf(day) + 1);
  const [header = [], ...lines] = TABLE;
  const early = firstDays('1939-02-01', '2020-01-01', 1).map((date) => [date, ...VINTAGES.map(() => '100')]);
  const chosen = [header, ...early, ...lines].map(([date, ...cells]) => [
    date,
    ...places.map((place) => cells[place - 1]),
  ]);
  const held = chosen.filter((cells) => cells.slice(1).some((cell) => cell !== '.'));
  return `${held.map((cells) => cells.join(',')).join('\n')}\n`;
}

/** First days of periods of some months, the end not included. */
export function firstDays(from: string, end: string, months: number): readonly string[] {
  const days: string[] = [];
  for (let date = from; date < end; ) {
    days.push(date);
    const [year, month] = [Number(date.slice(0, 4)), Number(date.slice(5, 7))];
    date = new Date(Date.UTC(year, month - 1 + months, 1)).toISOString().slice(0, 10);
  }
  return days;
}
