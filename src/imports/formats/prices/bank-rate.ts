import { onWorkingDays } from '../../fetch/download.ts';
import type { FileLine, ImportedFile, ImportFormat } from '../../format.ts';
import { readReleaseRule } from '../../generic/release-rule.ts';
import { announcedSeries, valueRow } from '../../read/announced.ts';
import { readDate, readNumber, refuse } from '../../read/cells.ts';

/** Bank Rate of the Bank of England: a line for each change, newest first. */
export const bankRate: ImportFormat = {
  id: 'bank-rate',
  publisher: 'Bank of England',
  doc: 'Bank Rate, the history of its changes as the page of the Bank of England exports it (Date Changed, Rate)',
  terms: 'Terms of the Bank of England: read them before you pass rates on.',
  publication: {
    revised: 'never',
    rule: 'published by 17:00 London time of the day of the change, assumed: usually it is 12:00, and was later in March 2020',
    at: readReleaseRule('day 17:00 Europe/London'),
  },
  begins: '1975-01-20',
  endsLastLine: true,
  download: {
    page: 'https://www.bankofengland.co.uk/boeapps/database/Bank-Rate.asp',
    file: 'bankrate.csv',
    maxBytes: 1_000_000,
    appears: onWorkingDays('12:00', 'Europe/London', 400),
    termsPage: 'https://www.bankofengland.co.uk/legal',
    seen: { on: '2026', by: 'a file in a public repository; its page makes it for a person' },
  },
  recognises: ({ head }) => /^\W*Date Changed"?,"?Rate"?\s*[\r\n]/.test(head),
  read: readChanges,
};

function* readChanges(file: ImportedFile): Generator<FileLine> {
  const series = announcedSeries({
    currency: 'GBP',
    indicator: 'policy_rate',
    name: 'Official Bank Rate',
    unit: '%',
    source: 'Bank of England',
    sourceUrl: 'https://www.bankofengland.co.uk/boeapps/database/Bank-Rate.asp',
    sourceSeriesId: 'Bank Rate',
    adjustment: 'NOT_APPLICABLE',
  });
  let isHeader = true;
  for (const { cells, line } of file.records({ separator: ',' })) {
    if (cells.length !== 2) throw refuse(`it has ${cells.length} cells and the header has 2.`, { line });
    if (isHeader) {
      isHeader = false;
      continue;
    }
    const [day = '', text = ''] = cells;
    const date = readDate({ text: day, line }, 'D MMM YY', 'D MMM YYYY');
    yield { number: line, date, rows: [valueRow(series, date, readNumber({ text, line, of: 'Bank Rate' }))] };
  }
}
