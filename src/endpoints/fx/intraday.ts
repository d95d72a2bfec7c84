import { defineEndpoint } from '../../contract/endpoint.ts';
import { listAt } from '../../contract/json/body.ts';
import * as s from '../../contract/json/schema.ts';
import { integerColumn, real, textField } from '../../contract/mapping.ts';
import { baseDiffersFromQuote, spanWithin } from '../../contract/params/param.ts';
import { dateTimeParam, movingDefault } from '../../contract/params/params.ts';
import { FIRST_SECOND, isoSeconds, parseInstant } from '../../contract/time/time.ts';
import { INTRADAY, UNSTATED } from '../../derive/fx/observations.ts';
import { composeIntraday } from '../../derive/fx/reference.ts';
import { originFields, pairArguments, priceFields, sourceField } from './fields.ts';

/** The service answers for a month at most. See docs/interface.md#timed-rates. */
const LONGEST_DAYS = 31;
const DAY = 86_400;

const endTime = movingDefault(dateTimeParam('last moment of the window'), 'now', ({ now }) =>
  isoSeconds(Math.floor(now / 1000)),
);
const startTime = movingDefault(
  dateTimeParam('first moment of the window'),
  '24 hours before its end',
  ({ now, args }) => {
    const end = parseInstant(String(args.end_time)) ?? Math.floor(now / 1000);
    return isoSeconds(Math.max(end - DAY, FIRST_SECOND));
  },
);

export default defineEndpoint({
  id: INTRADAY,
  path: '/v1/fx/intraday-reference-rates/{base}/{quote}',
  group: 'fx reference rates',
  at: pairArguments,
  // The start follows from the end, so the end is read first.
  query: { end_time: endTime, start_time: startTime },
  checks: [spanWithin(LONGEST_DAYS), baseDiffersFromQuote],
  access: { class: 'keyed' },
  body: listAt('data'),
  row: s.object({
    timestamp: s.dateTime('when the source made the observation'),
    ...priceFields,
    'reference_date?': s.date(),
    timestamp_type: s.string('official_fixing or official_published'),
    source: sourceField,
    'source_pair?': s.string('the pair that was published'),
    ...originFields,
  }),
  envelope: s.object({
    pair: s.string('BASE/QUOTE'),
    start_time: s.dateTime(),
    end_time: s.dateTime(),
    'count?': s.integer(),
  }),
  fresh: 900,
  mirror: {
    table: 'fx_intraday',
    scope: ['base', 'quote'],
    key: [
      integerColumn('timestamp'),
      textField('source_id', 'source.id'),
      { ...textField('source_pair'), otherwise: UNSTATED },
      textField('timestamp_type'),
    ],
    order: 'oldest',
    columns: [
      real('price'),
      real('val'),
      textField('reference_date'),
      textField('derivation_method'),
      integerColumn('is_official', 'source.is_official'),
    ],
    window: { column: 'timestamp', unit: 'instant', from: 'start_time', to: 'end_time' },
    // The euro is the oldest currency with timed public rates: nothing is looked for before it.
    extent: { from: '2023-01-01', rowsPerYear: 640 },
    sync: { kind: 'spans', days: LONGEST_DAYS, revisionDays: 3, quietDays: 93, since: '1999-01-01' },
  },
  compose: composeIntraday,
  cli: {
    words: ['fx', 'intraday'],
    columns: ['timestamp', 'price', 'reference_date', 'timestamp_type', 'source.id', 'source_pair'],
    spare: ['source_pair', 'timestamp_type', 'source.id'],
    spark: 'price',
    examples: ['fx intraday eur usd', 'fx intraday eur usd --start-time -7d --format csv'],
  },
  doc: {
    summary: 'Reference rates of a pair by the moment at which they were made',
    example: { base: 'EUR', quote: 'USD' },
  },
  provisional: 'the longest span, count, val beside price, official_published',
});
