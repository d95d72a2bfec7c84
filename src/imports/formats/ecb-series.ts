import { onWorkingDays } from '../fetch/download.ts';
import type { FileLine, FileSeries, ImportedFile, ImportFormat } from '../format.ts';
import { periodEnd, readReleaseRule } from '../generic/release-rule.ts';
import { announcedSeries, valueRow } from '../read/announced.ts';
import { readDate, readNumber, refuse } from '../read/cells.ts';
import { ECB_DOWNLOAD, hasKey, observations } from './ecb-keys.ts';

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
  endsLastLine: true,
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
  read: readSeries,
};

const FREQUENCIES = {
  D: ['day', 'Daily', 'YYYY-MM-DD'],
  B: ['day', 'Daily', 'YYYY-MM-DD'],
  M: ['month', 'Monthly', 'YYYY-MM'],
  Q: ['quarter', 'Quarterly', 'YYYY-Q'],
  A: ['year', 'Annual', 'YYYY'],
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

interface OpenSeries {
  readonly series: FileSeries;
  readonly frequency: (typeof FREQUENCIES)[keyof typeof FREQUENCIES];
  readonly isKeyRate: boolean;
  readonly hasEveryDay: boolean;
  last: { readonly date: string; readonly val: number | undefined } | undefined;
}

function* readSeries(file: ImportedFile): Generator<FileLine> {
  const open = new Map<string, OpenSeries>();
  for (const { line, period: text, spelled, values } of observations(file)) {
    for (const value of values) {
      const one = open.get(value.key) ?? openSeries(value.key, line);
      open.set(value.key, one);
      const { series, frequency, last } = one;
      if (spelled !== undefined && !SPELLED[frequency[0]].test(spelled))
        throw refuse(`'${spelled}' is no ${frequency[0]}, and ${value.key} has a value for each.`, { line });
      const date = periodEnd(readDate({ text, line }, frequency[2], 'YYYY-MM-DD'), frequency[0]);
      if (last && date <= last.date) throw refuse(`${date} stands behind ${last.date}.`, { line });
      const val = value.text === undefined ? undefined : readNumber({ text: value.text, line, of: value.key });
      // If a rate is listed for each day, only its changes are rows. Nobody knows whether the first day is one.
      const isChange = last ? Number(val) !== last.val : date <= BEGINS;
      const isRow = val !== undefined && (isChange || !one.hasEveryDay);
      one.last = { date, val: val === undefined ? last?.val : Number(val) };
      const rows = isRow ? [valueRow(series, date, val, one.isKeyRate ? holds(date) : undefined)] : [];
      yield { number: line, date, rows, names: [series] };
    }
  }
}

function openSeries(key: string, line: number): OpenSeries {
  const [, letter] = key.split('.');
  const frequency = FREQUENCIES[letter as keyof typeof FREQUENCIES];
  if (!frequency)
    throw refuse(`its key ${key} has values of '${letter}', and not of days, months, quarters or years.`, { line });
  const [, listed, code] = KEY_RATE.exec(key) ?? [];
  const rate = code === 'DFR' || code === 'MRR_FR' ? KEY_RATES[code] : undefined;
  const series = announcedSeries({
    currency: 'EUR',
    indicator: `ecb_${key.toLowerCase().replaceAll('.', '_')}`,
    name: `${key} of the ECB`,
    ...(rate ? { ...rate, unit: '%', adjustment: 'NOT_APPLICABLE', begins: BEGINS } : { frequency: frequency[1] }),
    everyDay: true,
    source: 'European Central Bank',
    sourceUrl: `https://data.ecb.europa.eu/data/datasets/${key.split('.')[0]}/${key}`,
    sourceSeriesId: key,
  });
  const isKeyRate = rate !== undefined;
  return { series: { ...series, ownRange: true }, frequency, isKeyRate, hasEveryDay: listed === 'D', last: undefined };
}
