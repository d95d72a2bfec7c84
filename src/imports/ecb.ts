import { asJsonText, type JsonObject } from '../contract/json/json.ts';
import type { NewRow } from '../mirror/api/mirror.ts';
import { type EcbColumn, readEcbTable } from './ecb-table.ts';
import { frankfurtHour } from './frankfurt.ts';
import type { ImportedSeries, Importer } from './importer.ts';
import { refuse } from './refuse.ts';
import { isZip, unzipOnly } from './unzip.ts';

const PUBLISHER = 'European Central Bank';
const NAME = 'Euro foreign exchange reference rates';
const URL_OF_RATES =
  'https://www.ecb.europa.eu/stats/policy_and_exchange_rates/euro_reference_exchange_rates/html/index.en.html';

/** Hour of Frankfurt at which the rates of a day are published: assumed, the files do not say. */
const PUBLICATION_HOUR = 16;

/** Largest file that is read, packed or not. See docs/interface.md#safety-of-clients. */
const MAX_BYTES = 64 * 1024 * 1024;

/** The ECB's euro reference rates: the whole history, 90 days or one day, as CSV or as ZIP. */
export const ecb: Importer = {
  id: 'ecb',
  publisher: 'ECB',
  doc: 'Euro foreign exchange reference rates of the European Central Bank (eurofxref-hist.csv, or its ZIP)',
  begins: '1999-01-04',
  rule: `published at ${PUBLICATION_HOUR}:00 Frankfurt time of its day, assumed: the file does not say`,
  read: readEcb,
};

function readEcb(bytes: Uint8Array): Iterable<ImportedSeries> {
  const { dates, columns } = readEcbTable(textOf(bytes));
  const published = dates.map((date) => frankfurtHour(date, PUBLICATION_HOUR));
  const window = { from: dates.at(-1) ?? '', to: dates[0] ?? '' };
  return columns.map((column) => ({
    endpoint: 'forex',
    scope: { base: 'EUR', quote: column.currency },
    envelope: envelopeOf(column.currency),
    window,
    rows: { [Symbol.iterator]: () => rowsOf(column, dates, published) },
  }));
}

function textOf(bytes: Uint8Array): string {
  if (bytes.length > MAX_BYTES) throw refuse(`it is larger than ${MAX_BYTES} bytes.`);
  const content = isZip(bytes) ? unzipOnly(bytes, '.csv', MAX_BYTES) : bytes;
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(content); // takes a byte order mark away
  } catch (cause) {
    throw refuse('it is no UTF-8 text.', { cause });
  }
}

/** Rows of one currency, made when they are needed: all of them at once would fill the memory. */
function* rowsOf(column: EcbColumn, dates: readonly string[], published: readonly number[]): Generator<NewRow> {
  for (const [place, date] of dates.entries()) {
    const rate = column.rates[place];
    const assumedRelease = published[place];
    if (rate === undefined || assumedRelease === undefined) continue;
    // The spelling of the file is the text: 1.10 stays 1.10.
    yield { text: asJsonText(`{"date":"${date}","val":${rate}}`), value: { date, val: Number(rate) }, assumedRelease };
  }
}

/** What the file's publisher says beside the rates, in the words of the forex answer. */
function envelopeOf(currency: string): JsonObject {
  return {
    base: 'EUR',
    quote: currency,
    source: PUBLISHER,
    provenance: {
      publisher: PUBLISHER,
      publisher_url: URL_OF_RATES,
      source_series_id: 'ecb_eurofxref_daily',
      source_series_name: NAME,
    },
    pair_metadata: {
      source_legs: [
        {
          pair: `EUR/${currency}`,
          source_provider: PUBLISHER,
          source_name: NAME,
          source_url: URL_OF_RATES,
          source_frequency: 'daily',
        },
      ],
    },
    data_quality: { source_name: NAME, source_type: 'official', is_official: true, has_assumed_release_times: true },
  };
}
