import { FX_PUBLISHERS } from '../../contract/words/publishers.ts';
import { onWorkingDays } from '../fetch/download.ts';
import type { FileLine, ImportedFile, ImportFormat } from '../format.ts';
import { refuse } from '../read/cells.ts';
import type { CsvRecord } from '../read/csv.ts';
import { datedLines, repeatedName, type ValueColumn } from '../read/dated-lines.ts';
import { pairSeries, rateOfCell, ratesOf } from '../read/fx-rates.ts';

/** Daily exchange rates of the Reserve Bank of Australia: units of a currency for one Australian dollar. */
export const rba: ImportFormat = {
  id: 'rba',
  doc: 'Daily exchange rates of the Reserve Bank of Australia (f11.1-data.csv)',
  ...ratesOf(FX_PUBLISHERS.rba, 'published by 17:00 Sydney time of its day, assumed: the file does not say'),
  download: {
    page: FX_PUBLISHERS.rba.url,
    address: 'https://www.rba.gov.au/statistics/tables/csv/f11.1-data.csv',
    file: 'f11.1-data.csv',
    maxBytes: 8_000_000,
    appears: onWorkingDays('17:00', 'Australia/Sydney', 6),
    termsPage: 'https://www.rba.gov.au/copyright/',
    seen: { on: '2026-06-18', by: 'rates of that day in a public file; some networks were refused in May 2026' },
  },
  recognises: ({ head }) => /^"?F11(?:\.\d)? +EXCHANGE RATES/.test(head),
  read: readTable,
};

/** Walk: a title; lines of facts about the columns, known by their first cell, up to `Series ID`; the days. */
function* readTable(file: ImportedFile): Generator<FileLine> {
  const facts = new Map<string, CsvRecord>();
  const records = filled(file.records({ separator: ',' }));
  for (let next = records.next(); !next.done; next = records.next()) {
    const { cells, line } = next.value;
    const [first = ''] = cells;
    if (facts.size === 0) requireDaily(first, line);
    facts.set(first, next.value);
    if (first !== 'Series ID') continue;
    const columns = columnsIn(facts, line);
    const width = facts.get('Title')?.cells.length ?? 0;
    return yield* datedLines({ records, columns, width, spellings: ['D MMM YYYY'], rowOf: rateOfCell });
  }
  throw refuse('it ends before its line Series ID.');
}

/** A sheet that became a text keeps its empty lines. */
function* filled(records: Iterable<CsvRecord>): Generator<CsvRecord, undefined> {
  for (const record of records) if (record.cells.some((cell) => cell !== '')) yield record;
}

/** The columns of the monthly table call themselves daily as well: the title alone tells the two apart. */
function requireDaily(title: string, line: number): void {
  if (/^F11\.1 /.test(title)) return;
  throw refuse('it is no table F11.1: rates at the end of a month are no daily rates.', { line });
}

/** Titles of the line of titles that are no pairs: its own name, indexes, columns without a title. */
const NO_PAIRS = /^(?:Title|Trade-weighted Index.*|)$/i;

function columnsIn(facts: ReadonlyMap<string, CsvRecord>, line: number): readonly ValueColumn[] {
  const titles = facts.get('Title')?.cells;
  const frequencies = facts.get('Frequency')?.cells;
  if (!titles || !frequencies) throw refuse('its lines Title and Frequency must stand before Series ID.', { line });
  const columns = titles.flatMap((title, place) => {
    const [, code] = /^A\$1=([A-Z]{3})$/.exec(title) ?? [];
    // Special drawing rights and the trade-weighted index are no currencies.
    if (code === undefined && !NO_PAIRS.test(title))
      throw refuse(`its title '${title}' is no pair such as A$1=USD.`, { line: facts.get('Title')?.line ?? line });
    if (code === undefined || code === 'SDR') return [];
    if (frequencies[place] !== 'Daily') throw refuse(`its column ${title} is not daily.`, { line });
    return [{ place, name: code, series: pairSeries(FX_PUBLISHERS.rba, 'AUD', code) }];
  });
  const twice = repeatedName(columns.map(({ name }) => name));
  if (twice !== undefined) throw refuse(`the currency ${twice} stands there twice.`, { line });
  if (columns.length === 0) throw refuse('its line Title names no currency such as A$1=USD.', { line });
  return columns;
}
