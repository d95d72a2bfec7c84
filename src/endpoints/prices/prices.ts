import { DATA_QUALITY } from '../../contract/answer-members.ts';
import { defineEndpoint } from '../../contract/endpoint.ts';
import { listAt } from '../../contract/json/body.ts';
import * as s from '../../contract/json/schema.ts';
import { dateWindow as byDate, integerColumn, real, textField as textColumn } from '../../contract/mapping.ts';
import { offset } from '../../contract/paging.ts';
import { datesInOrder, selectsBy } from '../../contract/params/param.ts';
import { currency, dateParam, optional, textParam } from '../../contract/params/params.ts';
import { MAIN_CURRENCIES } from '../../contract/words/words.ts';
import { derivePrices } from '../../derive/prices.ts';

export default defineEndpoint({
  id: 'financial_prices',
  path: '/v1/financial_prices/{currency}',
  group: 'prices',
  at: { currency: currency('currency of the instruments', MAIN_CURRENCIES, 404) },
  query: {
    source: optional(textParam('publisher', { max: 80 })),
    measure: optional(textParam('what is measured: yield, price, rate, high_yield, bid_to_cover, volume', { max: 60 })),
    instrument_id: optional(textParam('instrument', { max: 240 })),
    issuer: optional(textParam('issuer', { max: 240 })),
    start_date: optional(dateParam('first date; default the first one')),
    end_date: optional(dateParam('last date; default the newest one')),
  },
  checks: [datesInOrder],
  access: { class: 'keyed' },
  paging: offset({ size: 100 }),
  body: listAt('data'),
  row: s.object({
    date: s.date(),
    source: s.string('publisher'),
    instrument_id: s.string(),
    measure: s.string('yield, price, rate, high_yield, bid_to_cover, volume, or another one'),
    val: s.nullable(s.number()),
    'observation_id?': s.string(),
    'currency?': s.string(),
    'source_url?': s.string(),
    'issuer?': s.string(),
    'instrument_name?': s.string(),
    'instrument_type?': s.string('bond, bill, auction, overnight_rate or curve_node'),
    'unit?': s.string('%, price_per_100, ratio or a currency'),
    'maturity?': s.string('such as 10Y'),
    'maturity_date?': s.date(),
    'curve_type?': s.string('par, zero or real'),
    'source_precision?': s.integer('decimals that the publisher prints'),
    'announcement_datetime?': s.nullable(s.integer('release time, Unix seconds')),
  }),
  envelope: s.object({
    currency: s.string(),
    'count?': s.integer('rows of this page'),
    'filters?': s.mapOf(s.nullable(s.string()), 'null where nothing was asked'),
    'data_quality?': DATA_QUALITY,
  }),
  provisional: 'the body and its rows',
  fresh: 21_600,
  mirror: {
    table: 'financial_prices',
    view: 'prices',
    scope: ['currency'],
    key: [textColumn('date'), textColumn('source'), textColumn('instrument_id'), textColumn('measure')],
    order: 'newest',
    columns: [real('val'), textColumn('issuer'), integerColumn('announcement_datetime')],
    window: byDate(),
    effects: {
      source: selectsBy('source'),
      measure: selectsBy('measure'),
      instrument_id: selectsBy('instrument_id'),
      issuer: selectsBy('issuer'),
    },
    release: 'announcement_datetime',
    extent: { from: '2025-01-01', rowsPerYear: 800 },
    sync: { kind: 'history', revisionDays: 30 },
  },
  derive: derivePrices,
  cli: {
    words: ['prices'],
    columns: ['date', 'instrument_id', 'measure', 'val', 'unit', 'maturity', 'source', 'issuer'],
    spare: ['issuer', 'source', 'measure', 'maturity'],
    examples: ['prices usd', 'prices usd --measure yield --start -30d --format csv'],
  },
  doc: {
    summary: 'Official bond, bill, auction and overnight observations',
    example: { currency: 'USD' },
    exampleQuery: { measure: 'yield' },
  },
});
