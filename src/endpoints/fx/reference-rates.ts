import { DATA_QUALITY, WINDOW_MEMBERS } from '../../contract/answer-members.ts';
import { dateWindowParams, defineEndpoint } from '../../contract/endpoint.ts';
import { listAt } from '../../contract/json/body.ts';
import * as s from '../../contract/json/schema.ts';
import { dateWindow as byDate, integerColumn, real, textField } from '../../contract/mapping.ts';
import { offset } from '../../contract/paging.ts';
import { baseDiffersFromQuote, changes, orders, selects, windowInOrder } from '../../contract/params/param.ts';
import {
  booleanParam,
  choice,
  dateParam,
  textParam as freeText,
  optional,
  withDefault,
} from '../../contract/params/params.ts';
import { ORDERS, REFERENCE, UNSTATED } from '../../derive/fx/observations.ts';
import { composeReference } from '../../derive/fx/reference.ts';
import { originFields, pairArguments, priceFields, sourceCoverage, sourceField, sourcePolicy } from './fields.ts';

export default defineEndpoint({
  id: REFERENCE,
  path: '/v1/fx/reference-rates/{base}/{quote}',
  group: 'fx reference rates',
  at: pairArguments,
  query: {
    date: optional(dateParam('one date instead of a window')),
    ...dateWindowParams(),
    source: optional(freeText('id of a source', { max: 120 })),
    timestamp_type: optional(
      choice('what the time of a rate stands for', ['fixing', 'published'], {
        synonyms: { official_fixing: 'fixing', official_published: 'published' },
      }),
    ),
    native_only: withDefault(booleanParam('leaves out derived rates'), false),
    include_source_legs: withDefault(booleanParam('shows the rates that a derived one was made of'), true),
    order: withDefault(choice('order of the rows', ORDERS), 'timestamp_asc'),
  },
  checks: [windowInOrder, baseDiffersFromQuote],
  access: { class: 'keyed' },
  paging: offset({ size: 100, page: true }),
  versioned: true,
  body: listAt('data'),
  row: s.object({
    date: s.date('reference date'),
    timestamp_utc: s.dateTime('when the source made or published the rate'),
    timestamp_type: s.string('fixing or published'),
    'timestamp_assumed?': s.boolean('the time is the usual one of the publisher, not a stated one'),
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
    ...WINDOW_MEMBERS,
    'source_policy?': sourcePolicy,
    'coverage?': s.object({ 'sources?': s.array(sourceCoverage) }, 'who contributes to the window'),
    'data_quality?': DATA_QUALITY,
  }),
  echo: ['base', 'quote'],
  fresh: 3600,
  mirror: {
    table: 'fx_reference',
    scope: ['base', 'quote'],
    key: [
      textField('date'),
      integerColumn('timestamp_utc'),
      textField('source_id', 'source.id'),
      { ...textField('source_pair'), otherwise: UNSTATED },
      textField('timestamp_type'),
    ],
    order: 'oldest',
    columns: [
      real('price'),
      real('val'),
      integerColumn('is_derived'),
      textField('derivation_method'),
      integerColumn('is_official', 'source.is_official'),
    ],
    window: { ...byDate(), only: 'date' },
    effects: {
      source: selects,
      timestamp_type: selects,
      native_only: selects,
      include_source_legs: changes,
      order: orders,
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
    summary: 'Every published reference rate of a pair, with its time, its source and rates derived from it',
    description:
      'Rows of an imported ECB file state no times: they are shown as `published` at 16:00 in Frankfurt, the usual hour, with ' +
      '`timestamp_assumed`. A derived rate takes both legs from one source at one moment.',
    example: { base: 'EUR', quote: 'USD' },
  },
  provisional: 'the members beside the rows',
});
