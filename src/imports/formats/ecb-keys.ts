/** Series of the data service of the ECB by their keys: SDMX-CSV, or a table of its Data Portal. */
import { FX_PUBLISHERS } from '../../contract/words/publishers.ts';
import { onWorkingDays } from '../fetch/download.ts';
import type { FileLine, FileRow, FileSeries, ImportedFile, ImportFormat } from '../format.ts';
import { periodEnd, readReleaseRule } from '../generic/release-rule.ts';
import { announcedSeries, valueRow } from '../read/announced.ts';
import { readDate, readNumber, readPositive, refuse } from '../read/cells.ts';
import { headed, requireEachDay, requireWidth } from '../read/dated-lines.ts';
import { pairSeries, rateRow, ratesOf } from '../read/fx-rates.ts';
import { NO_OBSERVATION, type Observation, sdmxObservations } from '../read/sdmx-csv.ts';

const ECB_DOWNLOAD = {
  termsPage: 'https://www.ecb.europa.eu/services/using-our-site/disclaimer/html/index.en.html',
} as const;

const DAILY_RATE = /^EXR\.D\.([A-Z]{3})\.EUR\.SP00\.A$/;

/** The ECB's reference rates as its data service has them: a line for each rate, or a table. */
export const ecbData: ImportFormat = {
  id: 'ecb-data',
  doc: 'Daily euro reference rates from the data service of the ECB (EXR, SDMX-CSV) or its Data Portal (DATE, TIME PERIOD)',
  begins: '1999-01-04',
  ...ratesOf(FX_PUBLISHERS.ecb, 'published at 16:00 Frankfurt time of its day, assumed: the file does not say'),
  download: {
    ...ECB_DOWNLOAD,
    page: 'https://data.ecb.europa.eu/data/datasets/EXR',
    address: 'https://data-api.ecb.europa.eu/service/data/EXR/D.{id}.EUR.SP00.A?format=csvdata',
    file: 'EXR.D.{id}.EUR.SP00.A.csv',
    ids: { doc: 'currencies, such as USD', pattern: /^[A-Z]{3}$/, defaults: [], example: 'USD' },
    appears: onWorkingDays('16:00', 'Europe/Berlin', 5),
  },
  recognises: ({ head }) => hasKey(head, DAILY_RATE),
  read: (file) => readKeys(file, dailyRate),
};

/** Series of the ECB by their key, of any flow but the daily reference rates: key rates, yield curves, prices, money. */
export const ecbSeries: ImportFormat = {
  id: 'ecb-series',
  publisher: 'ECB',
  doc: 'Series of the ECB by their key (SDMX-CSV, or a table of its Data Portal): key rates, yield curves, prices, money',
  terms: 'Free to use and pass on when the European Central Bank is named and numbers are not changed.',
  publication: {
    revised: 'often',
    rule:
      'known from the import, because the file has no dates of release. Key rates are not revised: ' +
      'they are known from 17:00 Frankfurt time of their first day, assumed',
  },
  download: {
    ...ECB_DOWNLOAD,
    page: 'https://data.ecb.europa.eu/data/datasets',
    address: 'https://data-api.ecb.europa.eu/service/data/{flow}/{key}?format=csvdata',
    file: '{id}.csv',
    ids: {
      doc: 'keys of series, such as FM.B.U2.EUR.4F.KR.DFR.LEV',
      pattern: /^[A-Z][A-Z0-9]+(?:\.[A-Z0-9_]+){3,}$/,
      defaults: [],
      example: 'FM.B.U2.EUR.4F.KR.DFR.LEV',
    },
    appears: onWorkingDays('18:00', 'Europe/Berlin', 400),
  },
  recognises: ({ head }) => hasKey(head, /^(?!EXR\.D\.[A-Z]{3}\.EUR\.SP00\.A$)[A-Z]\w+\.[A-Z]\.\w*\.\w/),
  read: (file) => readKeys(file, otherSeries),
};

/** Does a file begin with a header and a key of this form? Keys without their flow are those of exchange rates. */
function hasKey(head: string, form: RegExp): boolean {
  const [header = '', first = ''] = head.split(/\r?\n/);
  const key = /^\W*KEY"?,/.test(header)
    ? /^"?([A-Z]\w*(?:\.\w*)+)/.exec(first)?.[1]
    : /^\W*DATE"?,"?TIME PERIOD"?,.*?\(([A-Z]\w*(?:\.\w*)+)\)"?(?:,|$)/.exec(header)?.[1];
  return key !== undefined && form.test(flowKey(key));
}

const flowKey = (key: string): string => (/^D\.[A-Z]{3}\./.test(key) ? `EXR.${key}` : key);

interface KeyedValue extends Omit<Observation, 'cell'> {
  /** Begins with its flow. */
  readonly key: string;
  readonly title: string;
  /** The period as a table of the Data Portal spells it beside its last day: `04 Jan 1999`, `1980Q1`. */
  readonly spelled?: string;
}

/** A series while its values are read. */
interface OpenKey {
  readonly series: FileSeries;
  /** As the first value has it. */
  readonly unit: string | undefined;
  take(value: KeyedValue): { readonly date: string; readonly row: FileRow | undefined };
}

function* readKeys(file: ImportedFile, openKey: (value: KeyedValue) => OpenKey): Generator<FileLine> {
  const open = new Map<string, OpenKey>();
  for (const value of /^\W*KEY"?,/.test(file.head) ? keyedLines(file) : portalCells(file)) {
    const { key, line, unit } = value;
    const one = open.get(key) ?? openKey(value);
    open.set(key, one);
    if (unit !== one.unit) throw refuse(`${key} is in '${unit}' here and in '${one.unit}' above.`, { line });
    const { date, row } = one.take(value);
    yield { number: line, date, rows: row ? [row] : [], names: [one.series] };
  }
}

function* keyedLines(file: ImportedFile): Generator<KeyedValue> {
  for (const { cell, ...value } of sdmxObservations(file, ['KEY']))
    yield { ...value, key: flowKey(cell('KEY')), title: cell('TITLE') };
}

/** A column for each series, below a title that ends with its key. */
function* portalCells(file: ImportedFile): Generator<KeyedValue> {
  const { header, records } = headed(file);
  const columns = header.cells.flatMap((text, place) => {
    const [, title = '', key] = /^(.*)\(([A-Z]\w*(?:\.\w*)+)\)$/.exec(text) ?? [];
    return key === undefined ? [] : [{ key: flowKey(key), title: title.trim(), place }];
  });
  // DATE is the last day of the period.
  if (header.cells[0] !== 'DATE' || columns.length !== header.cells.length - 2)
    throw refuse(
      'its header must have KEY, TIME_PERIOD and OBS_VALUE, or DATE, TIME PERIOD and keys of daily rates or of other unchanged series.',
      { line: header.line },
    );
  for (const record of records) {
    requireWidth(record, header.cells.length);
    const { cells, line } = record;
    const [period = '', spelled = ''] = cells;
    for (const { key, title, place } of columns) {
      const text = cells[place] ?? '';
      yield { key, title, line, period, spelled, unit: undefined, text: NO_OBSERVATION.has(text) ? undefined : text };
    }
  }
}

function dailyRate({ key, line, unit }: KeyedValue): OpenKey {
  const [, code] = DAILY_RATE.exec(key) ?? [];
  if (code === undefined)
    throw refuse(`its key '${key}' is no daily rate of the euro such as EXR.D.USD.EUR.SP00.A.`, { line });
  if (unit !== undefined && unit !== code) throw refuse(`${key} is in '${unit}', not in ${code}.`, { line });
  const series: FileSeries = { ...pairSeries(FX_PUBLISHERS.ecb, 'EUR', code), ownRange: true };
  let last: string | undefined;
  return {
    series,
    unit,
    take({ period, text, line }) {
      const date = readDate({ text: period, line }, 'YYYY-MM-DD');
      requireEachDay(last, date, line);
      last = date;
      return {
        date,
        row: text === undefined ? undefined : rateRow(series, date, readPositive({ text, line, of: key })),
      };
    },
  };
}

const FREQUENCIES = {
  D: ['day', 'YYYY-MM-DD'],
  B: ['day', 'YYYY-MM-DD'],
  M: ['month', 'YYYY-MM'],
  Q: ['quarter', 'YYYY-Q'],
  A: ['year', 'YYYY'],
} as const;

/** How the Data Portal spells a period: a series that it was asked to change has other ones than its key says. */
const SPELLED = {
  day: /^\d\d /,
  month: /^\d{4}-?(?:[A-Z][a-z]{2}|\d\d)$/,
  quarter: /^\d{4}-?Q\d$/,
  year: /^\d{4}$/,
} as const;

/** Key rates that the interface has. `B` lists changes alone, and `D` the rate of each day. */
const KEY_RATE = /^FM\.([BD])\.U2\.EUR\.4F\.KR\.(DFR|MRR_FR)\.LEV$/;
const KEY_RATES = {
  DFR: { indicator: 'policy_rate', name: 'Deposit facility rate' },
  MRR_FR: { indicator: 'policy_rate_mro', name: 'Main refinancing operations, fixed rate' },
} as const;

/** First day of the key rates. */
const BEGINS = '1999-01-01';
const holds = readReleaseRule('day 17:00 Europe/Berlin');

function otherSeries({ key, line, unit, title }: KeyedValue): OpenKey {
  const [flow, letter] = key.split('.');
  const frequency = FREQUENCIES[letter as keyof typeof FREQUENCIES];
  if (!frequency)
    throw refuse(`its key ${key} has values of '${letter}', and not of days, months, quarters or years.`, { line });
  const [period, spelling] = frequency;
  const [, listed, code] = KEY_RATE.exec(key) ?? [];
  const rate = code === 'DFR' || code === 'MRR_FR' ? KEY_RATES[code] : undefined;
  if (rate && unit !== undefined && unit !== '%') throw refuse(`${key} is in '${unit}', not in per cent.`, { line });
  const described = announcedSeries({
    currency: 'EUR',
    indicator: `ecb_${key.toLowerCase().replaceAll('.', '_')}`,
    name: title === '' ? `${key} of the ECB` : title,
    ...(unit !== undefined && { unit }),
    ...(rate ? { ...rate, unit: '%', adjustment: 'NOT_APPLICABLE', begins: BEGINS } : { period }),
    everyDay: true,
    source: 'European Central Bank',
    sourceUrl: `https://data.ecb.europa.eu/data/datasets/${flow}/${key}`,
    sourceSeriesId: key,
  });
  const series: FileSeries = { ...described, ownRange: true };
  let last: { readonly date: string; readonly val: number | undefined } | undefined;
  return {
    series,
    unit,
    take({ period: text, spelled, text: number, line }) {
      if (spelled !== undefined && !SPELLED[period].test(spelled))
        throw refuse(`'${spelled}' is no ${period}, and ${key} has a value for each.`, { line });
      const date = periodEnd(readDate({ text, line }, spelling, 'YYYY-MM-DD'), period);
      if (last && date <= last.date) throw refuse(`${date} stands behind ${last.date}.`, { line });
      if (listed === 'D') requireEachDay(last?.date, date, line);
      const val = number === undefined ? undefined : readNumber({ text: number, line, of: key });
      // If a rate is listed for each day, only its changes are rows. Nobody knows whether the first day is one.
      const isChange = last ? Number(val) !== last.val : date <= BEGINS;
      last = { date, val: val === undefined ? last?.val : Number(val) };
      const isRow = val !== undefined && (isChange || listed !== 'D');
      return { date, row: isRow ? valueRow(series, date, val, rate && holds(date)) : undefined };
    },
  };
}
