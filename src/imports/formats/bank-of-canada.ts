import { FX_PUBLISHERS } from '../../contract/words/publishers.ts';
import { onWorkingDays } from '../fetch/download.ts';
import type { FileLine, ImportedFile, ImportFormat } from '../format.ts';
import { refuse } from '../read/cells.ts';
import { datedLines } from '../read/dated-lines.ts';
import { pairSeries, rateOfCell, ratesOf } from '../read/fx-rates.ts';
import { readValet } from '../read/tables.ts';

const PUBLISHER = FX_PUBLISHERS['bank-of-canada'];

/** Daily exchange rates of the Bank of Canada: Canadian dollars for one unit of another currency. */
export const bankOfCanada: ImportFormat = {
  id: 'bank-of-canada',
  doc: 'Daily exchange rates of the Bank of Canada (FX_RATES_DAILY.csv of its Valet service)',
  begins: '2017-01-03',
  ...ratesOf(PUBLISHER, 'published by 16:30 Toronto time of its day, as the file says; assumed for each rate'),
  endsLastLine: true,
  download: {
    page: FX_PUBLISHERS['bank-of-canada'].url,
    address: 'https://www.bankofcanada.ca/valet/observations/group/FX_RATES_DAILY/csv?start_date={from}',
    file: 'FX_RATES_DAILY.csv',
    begins: '2017-01-03',
    maxBytes: 16_000_000,
    appears: onWorkingDays('16:30', 'America/Toronto', 5),
    termsPage: 'https://www.bankofcanada.ca/terms/',
    seen: { on: '2025-08-01', by: 'an answer of that day which a public program keeps for its tests' },
  },
  recognises: ({ head }) => /^"?TERMS AND CONDITIONS/.test(head) && /"FX[A-Z]{6}"/.test(head),
  read: readRates,
};

function readRates(file: ImportedFile): Iterable<FileLine> {
  const { ids, records } = readValet(file);
  const columns = ids.map((id, at) => {
    const [, base, quote] = /^FX([A-Z]{3})([A-Z]{3})$/.exec(id) ?? [];
    if (base === undefined || quote === undefined)
      throw refuse(`its column '${id}' is no exchange rate such as FXUSDCAD.`);
    return { place: at + 1, name: id, series: pairSeries(PUBLISHER, base, quote) };
  });
  // A series that has ended stays in the table, without values.
  return datedLines({ records, columns, width: ids.length + 1, spellings: ['YYYY-MM-DD'], rowOf: rateOfCell });
}
