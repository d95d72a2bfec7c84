/** Daily exchange rates of a publisher, as series of the forex endpoint. */
import { asJsonText, type JsonObject } from '../../contract/json/json.ts';
import { zonedInstants } from '../../contract/time/moments.ts';
import { dateToMs } from '../../contract/time/time.ts';
import { type FxPublisher, publicationLag } from '../../contract/words/publishers.ts';
import type { FileRow, FileSeries, ImportFormat } from '../format.ts';
import { type PlacedCell, readPositive } from './cells.ts';

const DAY = 86_400_000;

/** By the areas in ids of the Board's H.10, and of FRED for Japan. Venezuela had several currencies under one id. */
export const H10_CURRENCIES: Readonly<Record<string, string>> = {
  ...{ AL: 'AUD', BZ: 'BRL', CA: 'CAD', CH: 'CNY', DN: 'DKK', EU: 'EUR', HK: 'HKD', IN: 'INR', JA: 'JPY', JP: 'JPY' },
  ...{ KO: 'KRW', MA: 'MYR', MX: 'MXN', NO: 'NOK', NZ: 'NZD', SD: 'SEK', SF: 'ZAR', SI: 'SGD', SL: 'LKR', SZ: 'CHF' },
  ...{ TA: 'TWD', TH: 'THB', UK: 'GBP' },
};

/** The common part of all files of a publisher's daily rates. */
export function ratesOf(
  publisher: FxPublisher,
  rule: string,
): Pick<ImportFormat, 'publisher' | 'terms' | 'publication'> {
  const instant = zonedInstants(publisher.zone, publisher.hour);
  return {
    publisher: publisher.short,
    terms: publisher.terms,
    publication: {
      revised: 'never',
      rule,
      at(date) {
        const day = dateToMs(date);
        return instant(day + publicationLag(publisher, day) * DAY);
      },
    },
  };
}

/** A pair: units of `quote` for one unit of `base`. */
export function pairSeries(publisher: FxPublisher, base: string, quote: string): FileSeries {
  const envelope = pairEnvelope(publisher, base, quote);
  return { endpoint: 'forex', scope: { base, quote }, envelope, ofBusinessDays: true };
}

/** The spelling of the file is the text: 1.10 stays 1.10. */
export function rateRow(series: FileSeries, date: string, rate: string): FileRow {
  return { series, row: { text: asJsonText(`{"date":"${date}","val":${rate}}`), value: { date, val: Number(rate) } } };
}

/** @throws MacroError of kind `usage`. */
export const rateOfCell = (series: FileSeries, date: string, cell: PlacedCell): FileRow =>
  rateRow(series, date, readPositive(cell));

/** Three capital letters, as ISO 4217 has them. */
export function isCurrencyCode(text: string): boolean {
  return /^[A-Z]{3}$/.test(text);
}

/** The publisher's notes beside the rates, in the words of the forex answer. */
function pairEnvelope({ id, name, dataset, url }: FxPublisher, base: string, quote: string): JsonObject {
  return {
    base,
    quote,
    source: name,
    provenance: { publisher: name, publisher_url: url, source_series_id: id, source_series_name: dataset },
    pair_metadata: {
      source_legs: [
        {
          pair: `${base}/${quote}`,
          source_provider: name,
          source_name: dataset,
          source_url: url,
          source_frequency: 'daily',
        },
      ],
    },
    data_quality: { source_name: dataset, source_type: 'official', is_official: true, has_assumed_release_times: true },
  };
}
