import * as c from '../../contract/describe.ts';
import * as s from '../../contract/json/schema.ts';
import { ORDERS, REFERENCE, UNSTATED } from '../../derive/fx/observations.ts';
import { composeReference } from '../../derive/fx/reference.ts';
import { originFields, pairArguments, priceFields, sourceCoverage, sourceField, sourcePolicy } from './fields.ts';

export default c.defineEndpoint({
  id: REFERENCE,
  path: '/v1/fx/reference-rates/{base}/{quote}',
  group: 'fx reference rates',
  at: pairArguments,
  query: {
    date: c.optional(c.dateParam('one date instead of a window')),
    ...c.dateWindowParams(),
    source: c.optional(c.textParam('id of a source', { max: 120 })),
    timestamp_type: c.optional(
      c.choice('what the time of a rate stands for', ['fixing', 'published'], {
        synonyms: { official_fixing: 'fixing', official_published: 'published' },
      }),
    ),
    native_only: c.withDefault(c.booleanParam('leaves out derived rates'), false),
    include_source_legs: c.withDefault(c.booleanParam('shows the rates that a derived one was made of'), true),
    order: c.withDefault(c.choice('order of the rows', ORDERS), 'timestamp_asc'),
  },
  checks: [c.windowInOrder, c.baseDiffersFromQuote],
  access: { class: 'keyed' },
  paging: c.offset({ size: 100, page: true }),
  versioned: true,
  body: c.listAt('data'),
  row: s.object({
    date: s.date('reference date'),
    timestamp_utc: s.dateTime('when the source made or published the rate'),
    timestamp_type: s.string('fixing or published'),
    'timestamp_assumed?': s.boolean('the time is the scheduled one of the publisher, not a stated one'),
    ...priceFields,
    source: sourceField,
    'source_pair?': s.string('the pair that was published; of a cross both'),
    ...originFields,
    'pair_consistency_check?': s.string('passed, failed or not_applicable'),
    'source_legs?': s.array(
      s.object({
        'pair?': s.string(),
        'source?': s.open,
        'timestamp_utc?': s.dateTime(),
        'price?': s.number(),
      }),
    ),
  }),
  envelope: s.object({
    base: s.string(),
    quote: s.string(),
    pair: s.string('BASE/QUOTE'),
    ...c.WINDOW_MEMBERS,
    'source_policy?': sourcePolicy,
    'coverage?': s.object({ 'sources?': s.array(sourceCoverage) }, 'who contributes to the window'),
    'data_quality?': c.DATA_QUALITY,
  }),
  echo: ['base', 'quote'],
  fresh: 3600,
  mirror: {
    table: 'fx_reference',
    scope: ['base', 'quote'],
    key: [
      c.textField('date'),
      c.integerColumn('timestamp_utc'),
      c.textField('source_id', 'source.id'),
      { ...c.textField('source_pair'), otherwise: UNSTATED },
      c.textField('timestamp_type'),
    ],
    order: 'oldest',
    columns: [
      c.real('price'),
      c.real('val'),
      c.integerColumn('is_derived'),
      c.textField('derivation_method'),
      c.integerColumn('is_official', 'source.is_official'),
    ],
    window: { ...c.dateWindow(), only: 'date' },
    effects: {
      source: c.selects,
      timestamp_type: c.selects,
      native_only: c.selects,
      include_source_legs: c.changes,
      order: c.orders,
    },
    extent: { from: '2023-01-01', rowsPerYear: 640 },
    sync: { kind: 'history', revisionDays: 14 },
  },
  compose: composeReference,
  cli: {
    words: ['fx', 'reference'],
    columns: ['date', 'timestamp_utc', 'price', 'timestamp_type', 'source.id', 'source_pair', 'derivation_method'],
    spare: ['derivation_method', 'source_pair', 'timestamp_type', 'source.id'],
    spark: 'price',
    examples: ['fx reference eur usd', 'fx reference usd jpy --start -30d --native-only true --format csv'],
  },
  doc: {
    files: 'macro import ecb',
    summary: 'Every published reference rate of a pair, with its time, its source and rates derived from it',
    description:
      'Rows of an imported ECB file state no times: they are shown as `published` at 16:00 in Frankfurt, the scheduled hour, with ' +
      '`timestamp_assumed`. A derived rate takes both legs from one source at one moment.',
    example: { base: 'EUR', quote: 'USD' },
  },
  provisional: 'the members beside the rows',
});
