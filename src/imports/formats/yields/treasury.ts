import { onWorkingDays } from '../../fetch/download.ts';
import type { FileLine, FileSeries, ImportedFile, ImportFormat } from '../../format.ts';
import { readReleaseRule } from '../../generic/release-rule.ts';
import { valueRow } from '../../read/announced.ts';
import { readDate, readNumber, refuse } from '../../read/cells.ts';
import type { CsvRecord } from '../../read/csv.ts';
import { yieldSeries } from '../../read/tables.ts';

/** Par yields of the US Treasury. Columns come and go with the years, so they are read by their titles. */
export const treasury: ImportFormat = {
  id: 'treasury',
  publisher: 'Treasury',
  doc: 'Daily par yield curve rates of the US Treasury (daily-treasury-rates.csv), all years or one',
  terms: 'Public domain of the United States.',
  publication: {
    revised: 'never',
    rule: 'published by 18:00 New York time of its day, assumed: the file does not say',
    at: readReleaseRule('day 18:00 America/New_York'),
  },
  begins: '1990-01-02',
  download: {
    page: 'https://home.treasury.gov/resource-center/data-chart-center/interest-rates',
    address:
      'https://home.treasury.gov/resource-center/data-chart-center/interest-rates/daily-treasury-rates.csv/{year}/all' +
      '?type=daily_treasury_yield_curve&field_tdr_date_value={year}&page&_format=csv',
    file: 'daily-treasury-rates-{year}.csv',
    begins: '1990-01-02',
    maxBytes: 4_000_000,
    appears: onWorkingDays('18:00', 'America/New_York', 6),
    termsPage: 'https://home.treasury.gov/subfooter/site-policies-and-notices',
    seen: { on: '2026-09-29', by: 'a public note of a download of that day' },
  },
  recognises: ({ head }) => /^\W*Date"?,"?\d+(?:\.\d+)? (?:Mo|Month|Yr)"?,/.test(head),
  read: readCurve,
};

function* readCurve(file: ImportedFile): Generator<FileLine> {
  let header: { readonly series: readonly FileSeries[]; readonly width: number } | undefined;
  for (const record of file.records({ separator: ',' })) {
    if (!header) {
      header = { series: seriesIn(record), width: record.cells.length };
      continue;
    }
    const { cells, line } = record;
    const date = readDate({ text: inFull(cells[0] ?? ''), line }, 'MM/DD/YYYY', 'YYYY-MM-DD');
    if (cells.length !== header.width)
      throw refuse(`it has ${cells.length} cells and the header has ${header.width}.`, { line });
    const rows = header.series.flatMap((series, place) => {
      const text = cells[place + 1] ?? '';
      // The Treasury did not issue the maturity then, or kept a holiday.
      if (text === '' || text === 'N/A') return [];
      return [valueRow(series, date, readNumber({ text, line, of: series.scope.indicator ?? '' }))];
    });
    yield { number: line, date, rows, names: header.series };
  }
}

/** `1/2/90` in the archive of all years, which begins in 1990. */
function inFull(text: string): string {
  const [, day, year = ''] = /^(\d{1,2}\/\d{1,2}\/)(\d{2})$/.exec(text) ?? [];
  return day === undefined ? text : `${day}${Number(year) >= 90 ? '19' : '20'}${year}`;
}

function seriesIn({ cells, line }: CsvRecord): readonly FileSeries[] {
  const [first, ...titles] = cells;
  if (first !== 'Date' || titles.length === 0) throw refuse('its header must be Date and then maturities.', { line });
  const series = titles.map((title) => {
    const [, size, unit] = /^(\d+(?:\.\d+)?) (Mo|Month|Yr)$/.exec(title) ?? [];
    if (size === undefined) throw refuse(`its column '${title}' is no maturity such as 10 Yr.`, { line });
    return yieldSeries(`${size}${unit === 'Yr' ? 'Y' : 'M'}`, 'Treasury par', {
      currency: 'USD',
      source: 'US Treasury',
      sourceUrl: 'https://home.treasury.gov/resource-center/data-chart-center/interest-rates',
      sourceSeriesId: title,
    });
  });
  const slugs = series.map(({ scope }) => scope.indicator);
  const twice = slugs.findIndex((slug, place) => slugs.indexOf(slug) < place);
  if (twice >= 0) throw refuse(`the column ${titles[twice]} stands there twice.`, { line });
  return series;
}
