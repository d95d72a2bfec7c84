import { FX_PUBLISHERS } from '../../contract/words/publishers.ts';
import { onWorkingDays } from '../fetch/download.ts';
import type { FileLine, FileSeries, ImportedFile, ImportFormat } from '../format.ts';
import { readDate, readPositive, refuse } from '../read/cells.ts';
import { pairSeries, rateRow, ratesOf } from '../read/fx-rates.ts';
import { ECB_DOWNLOAD, hasKey, observations, requireSteady } from './ecb-keys.ts';

/** The ECB's reference rates as its data service has them: SDMX-CSV, a line for each rate, or a table of the Data Portal. */
export const ecbData: ImportFormat = {
  id: 'ecb-data',
  doc: 'Daily euro reference rates from the data service of the ECB (EXR, SDMX-CSV) or its Data Portal (DATE, TIME PERIOD)',
  begins: '1999-01-04',
  ...ratesOf(FX_PUBLISHERS.ecb, 'published at 16:00 Frankfurt time of its day, assumed: the file does not say'),
  endsLastLine: true,
  download: {
    ...ECB_DOWNLOAD,
    page: 'https://data.ecb.europa.eu/data/datasets/EXR',
    address: 'https://data-api.ecb.europa.eu/service/data/EXR/D.{id}.EUR.SP00.A?format=csvdata',
    file: 'EXR.D.{id}.EUR.SP00.A.csv',
    ids: { doc: 'currencies, such as USD', pattern: /^[A-Z]{3}$/, defaults: [], example: 'USD' },
    appears: onWorkingDays('16:00', 'Europe/Berlin', 5),
  },
  recognises: ({ head }) => hasKey(head, DAILY_RATE),
  read: readRates,
};

const DAILY_RATE = /^EXR\.D\.([A-Z]{3})\.EUR\.SP00\.A$/;

function* readRates(file: ImportedFile): Generator<FileLine> {
  const open = new Map<string, { readonly series: FileSeries; last: string }>();
  for (const { line, period, values } of observations(file)) {
    const date = readDate({ text: period, line }, 'YYYY-MM-DD');
    const rows = values.flatMap(({ key, text }) => {
      const one = open.get(key) ?? { series: seriesOf(key, line), last: date };
      open.set(key, one);
      requireSteady(one.last, date, line);
      one.last = date;
      return text === undefined ? [] : [rateRow(one.series, date, readPositive({ text, line, of: key }))];
    });
    yield { number: line, date, rows, names: [...open.values()].map(({ series }) => series) };
  }
}

function seriesOf(key: string, line: number): FileSeries {
  const [, code] = DAILY_RATE.exec(key) ?? [];
  if (code === undefined)
    throw refuse(`its key '${key}' is no daily rate of the euro such as EXR.D.USD.EUR.SP00.A.`, { line });
  return { ...pairSeries(FX_PUBLISHERS.ecb, 'EUR', code), ownRange: true };
}
