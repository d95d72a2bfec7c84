import { asJsonText } from '../../../contract/json/json.ts';
import { onWorkingDays } from '../../fetch/download.ts';
import type { FileLine, FileSeries, ImportedFile, ImportFormat } from '../../format.ts';
import { announcedSeries, valueRow } from '../../read/announced.ts';
import { weekdaysLater } from '../../read/release-days.ts';
import { BANK_OF_ENGLAND, databaseAddress, databaseValues, hasCode } from './bank-of-england.ts';

/** SONIA of the Bank of England: the overnight rate of sterling. */
export const sonia: ImportFormat = {
  id: 'sonia',
  publisher: BANK_OF_ENGLAND.publisher,
  doc: 'SONIA, an export of the database of the Bank of England with the column IUDSOIA',
  terms: BANK_OF_ENGLAND.terms,
  publication: {
    revised: 'never',
    rule: 'published at 09:00 London time of the next business day, three weekdays later assumed for holidays',
    at: weekdaysLater(3, { zone: 'Europe/London', hour: 9 }),
  },
  begins: '1997-01-02',
  download: {
    page: 'https://www.bankofengland.co.uk/markets/sonia-benchmark',
    address: databaseAddress('IUDSOIA'),
    file: 'IUDSOIA.csv',
    begins: '1997-01-02',
    maxBytes: 8_000_000,
    appears: onWorkingDays('09:00', 'Europe/London', 6),
    termsPage: BANK_OF_ENGLAND.termsPage,
    seen: {
      on: '2026-10-03',
      by: 'a public program; another one was refused at times',
    },
  },
  recognises: ({ head }) => hasCode(head, 'IUDSOIA'),
  read: readSonia,
};

const PRICES: FileSeries = {
  endpoint: 'financial_prices',
  scope: { currency: 'GBP' },
  envelope: { currency: 'GBP' },
  ofBusinessDays: true,
};

const RATE = announcedSeries({
  currency: 'GBP',
  indicator: 'risk_free_rate',
  name: 'SONIA',
  unit: '%',
  source: BANK_OF_ENGLAND.publisher,
  sourceUrl: 'https://www.bankofengland.co.uk/boeapps/database/',
  sourceSeriesId: 'IUDSOIA',
  adjustment: 'NOT_APPLICABLE',
  frequency: 'Daily',
});

function* readSonia(file: ImportedFile): Generator<FileLine> {
  for (const { date, line, val } of databaseValues(file, 'IUDSOIA'))
    yield { number: line, date, rows: val === undefined ? [] : rowsOf(date, val), names: [PRICES, RATE] };
}

function rowsOf(date: string, val: string) {
  const value = {
    date,
    source: 'Bank of England',
    instrument_id: 'sonia',
    measure: 'rate',
    instrument_name: 'SONIA',
    instrument_type: 'overnight_rate',
    unit: '%',
  };
  const text = asJsonText(`${JSON.stringify(value).slice(0, -1)},"val":${val}}`);
  return [{ series: PRICES, row: { text, value: { ...value, val: Number(val) } } }, valueRow(RATE, date, val)];
}
