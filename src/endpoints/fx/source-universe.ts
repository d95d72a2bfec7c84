import { defineEndpoint } from '../../contract/endpoint.ts';
import { listAt } from '../../contract/json/body.ts';
import * as s from '../../contract/json/schema.ts';
import { textField, wholeList } from '../../contract/mapping.ts';
import { changes, selects } from '../../contract/params/param.ts';
import { textParam as freeText, optional } from '../../contract/params/params.ts';
import { composeUniverse, UNIVERSE } from '../../derive/fx/sources.ts';
import { sourceField, sourcePolicy } from './fields.ts';

export default defineEndpoint({
  id: UNIVERSE,
  path: '/v1/fx/source-universe',
  group: 'fx reference rates',
  at: {},
  query: {
    currency: optional(freeText('only pairs of this currency', { max: 16 })),
    source: optional(freeText('id of a source', { max: 120 })),
  },
  access: { class: 'public' },
  body: listAt('data'),
  row: s.object({
    source: sourceField,
    pair_count: s.integer(),
    pairs: s.array(
      s.object({
        pair: s.string('BASE/QUOTE'),
        'availability?': s.string('native or derived'),
        'anchor?': s.nullable(s.string('currency that the rate goes by')),
      }),
    ),
  }),
  envelope: s.object({
    source_policy: sourcePolicy,
    'currency?': s.nullable(s.string()),
    'source?': s.nullable(s.string()),
  }),
  fresh: 86_400,
  mirror: wholeList({
    table: 'fx_source_universe',
    key: [textField('source_id', 'source.id')],
    // A currency leaves pairs out of each source.
    effects: { currency: changes, source: selects },
  }),
  compose: composeUniverse,
  cli: {
    words: ['fx', 'universe'],
    columns: ['source.id', 'source.name', 'pair', 'availability', 'anchor'],
    spare: ['anchor', 'source.name'],
    lines: 'pairs',
    examples: ['fx universe', 'fx universe --currency usd --format json'],
  },
  doc: { summary: 'Pairs that each source of reference rates publishes or leads to', example: {} },
  provisional: 'the word for derived pairs',
});
