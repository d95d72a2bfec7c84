import { describe, expect, it } from 'vitest';
import { addDays, addMonths } from '../../src/contract/time/time.ts';
import { commitsOf } from '../../src/imports/commits.ts';
import { ecb } from '../../src/imports/formats/ecb.ts';
import { alfred } from '../../src/imports/formats/stlouisfed/fred.ts';
import { surveyOf } from './read-format.ts';

const COUNT = 1201;
const DAYS = Array.from({ length: COUNT }, (_, day) => addDays('2020-01-01', day));
const LAST = addDays('2020-01-01', COUNT - 1);

const fileOfDays = (days: readonly string[]) => `Date,USD\n${days.map((day) => `${day},1.5\n`).join('')}`;

function commitsOfDays(days: readonly string[]) {
  const context = { now: Date.parse('2026-01-01'), isHeld: () => false };
  return [...commitsOf(surveyOf(ecb, fileOfDays(days)), context)];
}

describe('commits of a file', () => {
  it.each([
    ['oldest first', DAYS],
    ['newest first', [...DAYS].reverse()],
    ['in no order', [...DAYS.slice(600), ...DAYS.slice(0, 600).reverse()]],
  ])('cover its dates without a gap, each row in its own window: %s', (_, days) => {
    const commits = commitsOfDays(days);
    expect(commits.map(({ rows }) => rows.length)).toEqual([500, 500, 201]);
    const windows = commits.map(({ window }) => [String(window?.from), String(window?.to)] as const).sort();
    expect(windows[0]?.[0]).toBe('2020-01-01');
    expect(windows.at(-1)?.[1]).toBe(LAST);
    for (const [place, [, to]] of windows.slice(0, -1).entries()) expect(windows[place + 1]?.[0]).toBe(addDays(to, 1));
    for (const { rows, window } of commits)
      for (const date of rows.map(({ value }) => String(value.date)))
        expect(date >= String(window?.from) && date <= String(window?.to)).toBe(true);
    expect(commits.flatMap(({ rows }) => rows.map(({ value }) => value.date)).sort()).toEqual(DAYS);
    expect(commits.map(({ covered }) => covered)).toEqual([
      undefined,
      undefined,
      { from: '2020-01-01', to: LAST, rows: COUNT },
    ]);
  });

  it('are small where rows list many vintages', () => {
    const titles = Array.from({ length: 3000 }, (_, day) => `PAYEMS_${addDays('2000-01-01', day).replaceAll('-', '')}`);
    const values = titles.map((_, place) => 100_000 + (place % 2)).join(',');
    const dates = Array.from({ length: 20 }, (_, month) => addMonths('1950-01-01', month));
    const text = `DATE,${titles.join(',')}\n${dates.map((date) => `${date},${values}\n`).join('')}`;
    const survey = surveyOf(alfred, text);
    const sizes = [...commitsOf(survey, { now: Date.parse('2026-01-01'), isHeld: () => false })].map(({ rows }) =>
      rows.map((row) => row.text.length).reduce((a, b) => a + b, 0),
    );
    expect([sizes.length > 3, Math.max(...sizes) < 2_500_000]).toEqual([true, true]);
  });

  /** Rows of each commit of a file of many pairs, and how many rows wait while it is read. */
  function commitsOfPairs(pairs: number, days: number) {
    const names = Array.from({ length: pairs }, (_, place) =>
      String.fromCharCode(65 + (place % 26), 65 + Math.floor(place / 26), 90),
    );
    const lines = Array.from(
      { length: days },
      (_, day) => `${addDays('2020-01-01', day)},${names.map(() => '1.5').join(',')}`,
    );
    const survey = surveyOf(ecb, `Date,${names.join(',')}\n${lines.join('\n')}\n`);
    let [read, written, most] = [0, 0, 0];
    const counting = {
      ...survey,
      format: {
        ...survey.format,
        *read(file: typeof survey.file) {
          for (const line of survey.format.read(file)) {
            read += line.rows.length;
            most = Math.max(most, read - written);
            yield line;
          }
        },
      },
    };
    const sizes = new Map<string, number[]>();
    for (const { rows, series } of commitsOf(counting, { now: Date.parse('2026-01-01'), isHeld: () => false })) {
      written += rows.length;
      sizes.set(series.scope.quote ?? '', [...(sizes.get(series.scope.quote ?? '') ?? []), rows.length]);
    }
    return { sizes: [...sizes.values()], most };
  }

  it('of many series of one date are cut before too many rows wait', () => {
    const { sizes, most } = commitsOfPairs(400, 150);
    expect(most).toBeLessThan(42_000);
    expect(sizes).toHaveLength(400);
    expect(sizes.map((rows) => rows.reduce((sum, one) => sum + one, 0))).toEqual(sizes.map(() => 150));
    expect(sizes.filter((rows) => rows.length > 1).length).toBeGreaterThan(100);
  });

  it('of few series wait for a whole batch', () => {
    const { sizes } = commitsOfPairs(3, 1201);
    expect(sizes).toEqual([
      [500, 500, 201],
      [500, 500, 201],
      [500, 500, 201],
    ]);
  });

  it('of dates in no order refuse one that stands there twice, with its line', () => {
    expect(() => commitsOfDays(['2020-01-02', '2020-01-04', '2020-01-03', '2020-01-02'])).toThrow(
      'Line 5 of the file cannot be imported: 2020-01-02 stands in the file twice.',
    );
  });
});
