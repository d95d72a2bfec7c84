import { asJsonText } from '../../../contract/json/json.ts';
import { onWorkingDays } from '../../fetch/download.ts';
import type { FileLine, FileSeries, ImportedFile, ImportFormat } from '../../format.ts';
import { announcedSeries, valueRow } from '../../read/announced.ts';
import { readDate, readNumber, refuse } from '../../read/cells.ts';
import { weekdaysLater } from '../../read/release-days.ts';

/** SONIA of the Bank of England: the overnight rate of sterling. */
export const sonia: ImportFormat = {
  id: 'sonia',
  publisher: 'Bank of England',
  doc: 'SONIA, an export of the database of the Bank of England with the column IUDSOIA',
  terms: 'Terms of the Bank of England: read them before you pass rates on.',
  publication: {
    revised: 'never',
    rule: 'published at 09:00 London time of the next business day, three weekdays later assumed for holidays',
    at: weekdaysLater(3, { zone: 'Europe/London', hour: 9 }),
  },
  begins: '1997-01-02',
  download: {
    page: 'https://www.bankofengland.co.uk/markets/sonia-benchmark',
    address:
      'https://www.bankofengland.co.uk/boeapps/database/_iadb-fromshowcolumns.asp?csv.x=yes&Datefrom={from:DD/MMM/YYYY}' +
      '&Dateto=now&SeriesCodes=IUDSOIA&CSVF=TN&UsingCodes=Y&VPD=Y&VFD=N',
    file: 'IUDSOIA.csv',
    begins: '1997-01-02',
    maxBytes: 8_000_000,
    appears: onWorkingDays('09:00', 'Europe/London', 6),
    termsPage: 'https://www.bankofengland.co.uk/legal',
    seen: {
      on: '2026',
      by: 'a public program that reads SONIA there; another one reports that it is refused at times',
    },
  },
  recognises: ({ head }) => /^\W*(?:Date|DATE)"?,"?[^"\r\n]*IUDSOIA"?\s*[\r\n]/.test(head),
  read: readSonia,
};

const PRICES: FileSeries = {
  endpoint: 'financial_prices',
  scope: { currency: 'GBP' },
  envelope: { currency: 'GBP' },
  ofBusinessDays: true,
};

function* readSonia(file: ImportedFile): Generator<FileLine> {
  const rate = announcedSeries({
    currency: 'GBP',
    indicator: 'risk_free_rate',
    name: 'SONIA',
    unit: '%',
    source: 'Bank of England',
    sourceUrl: 'https://www.bankofengland.co.uk/boeapps/database/',
    sourceSeriesId: 'IUDSOIA',
    adjustment: 'NOT_APPLICABLE',
    frequency: 'Daily',
  });
  let isHeader = true;
  for (const { cells, line } of file.records({ separator: ',' })) {
    if (isHeader) {
      if (cells.length !== 2) throw refuse('its header must be Date and one column IUDSOIA.', { line });
      isHeader = false;
      continue;
    }
    if (cells.length !== 2) throw refuse(`it has ${cells.length} cells and the header has 2.`, { line });
    const [day = '', text = ''] = cells;
    const date = readDate({ text: day, line }, 'D MMM YY', 'D MMM YYYY', 'YYYY-MM-DD');
    const rows = text === '' ? [] : rowsOf(rate, date, readNumber({ text, line, of: 'IUDSOIA' }));
    yield { number: line, date, rows, names: [PRICES, rate] };
  }
}

function rowsOf(rate: FileSeries, date: string, val: string) {
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
  return [{ series: PRICES, row: { text, value: { ...value, val: Number(val) } } }, valueRow(rate, date, val)];
}
