import { onWorkingDays } from '../../fetch/download.ts';
import type { FileLine, ImportedFile, ImportFormat } from '../../format.ts';
import { readReleaseRule } from '../../generic/release-rule.ts';
import { announcedSeries, valueOfCell, valueRow } from '../../read/announced.ts';
import { datedLines, headed } from '../../read/dated-lines.ts';
import { BANK_OF_ENGLAND, changesIn, databaseAddress, databaseValues, hasCode } from './bank-of-england.ts';

/** Bank Rate of the Bank of England: a row for each change. */
export const bankRate: ImportFormat = {
  id: 'bank-rate',
  publisher: BANK_OF_ENGLAND.publisher,
  doc: 'Bank Rate of the Bank of England, its changes (Date Changed, Rate), or IUDBEDR of its database',
  terms: BANK_OF_ENGLAND.terms,
  publication: {
    revised: 'never',
    rule: 'published by 17:00 London time of the day of the change, assumed: usually it is 12:00, and was later in March 2020',
    at: readReleaseRule('day 17:00 Europe/London'),
  },
  begins: '1975-01-20',
  endsLastLine: true,
  download: {
    page: 'https://www.bankofengland.co.uk/boeapps/database/Bank-Rate.asp',
    address: databaseAddress('IUDBEDR'),
    file: 'IUDBEDR.csv',
    begins: '1975-01-02',
    maxBytes: 8_000_000,
    appears: onWorkingDays('12:00', 'Europe/London', 400),
    termsPage: BANK_OF_ENGLAND.termsPage,
    seen: { on: '2026-09-08', by: 'a public note of a download of that day' },
  },
  recognises: ({ head }) => isOfChanges(head) || (hasCode(head, 'IUDBEDR') && !hasCode(head, 'IUDSOIA')),
  read: readChanges,
};

const isOfChanges = (head: string): boolean => /^\W*Date Changed"?,"?Rate"?\s*[\r\n]/.test(head);

const RATE = announcedSeries({
  currency: 'GBP',
  indicator: 'policy_rate',
  name: 'Official Bank Rate',
  unit: '%',
  source: BANK_OF_ENGLAND.publisher,
  sourceUrl: 'https://www.bankofengland.co.uk/boeapps/database/Bank-Rate.asp',
  sourceSeriesId: 'Bank Rate',
  adjustment: 'NOT_APPLICABLE',
});

/** The page has the changes, and the database the rate of each day. */
function* readChanges(file: ImportedFile): Generator<FileLine> {
  if (isOfChanges(file.head)) {
    const columns = [{ place: 1, name: 'Bank Rate', series: RATE }];
    const table = { records: headed(file).records, columns, width: 2, rowOf: valueOfCell };
    yield* datedLines({ ...table, spellings: ['D MMM YY', 'D MMM YYYY'] });
    return;
  }
  for (const { date, line, val } of changesIn(databaseValues(file, 'IUDBEDR'), bankRate.begins))
    yield { number: line, date, rows: val === undefined ? [] : [valueRow(RATE, date, val)], names: [RATE] };
}
