import * as c from '../../contract/describe.ts';
import * as s from '../../contract/json/schema.ts';
import { composeUniverse, UNIVERSE } from '../../derive/fx/sources.ts';
import { sourceField, sourcePolicy } from './fields.ts';

export default c.defineEndpoint({
  id: UNIVERSE,
  path: '/v1/fx/source-universe',
  group: 'fx reference rates',
  at: {},
  query: {
    currency: c.optional(c.textParam('only pairs of this currency', { max: 16 })),
    source: c.optional(c.textParam('id of a source', { max: 120 })),
  },
  access: { class: 'public' },
  body: c.listAt('data'),
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
  mirror: c.wholeList({
    table: 'fx_source_universe',
    key: [c.textField('source_id', 'source.id')],
    // A currency leaves pairs out of each source.
    effects: { currency: c.changes, source: c.selects },
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
