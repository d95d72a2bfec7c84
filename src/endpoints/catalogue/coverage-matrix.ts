import * as c from '../../contract/describe.ts';
import * as s from '../../contract/json/schema.ts';
import { composeCoverageMatrix } from '../../derive/catalogue.ts';

export default c.defineEndpoint({
  id: 'coverage_matrix',
  path: '/v1/coverage_matrix',
  group: 'data catalogue',
  at: {},
  query: {
    currency: c.optional(c.currency('one currency; all of them when left out', c.MAIN_CURRENCIES, 404)),
    indicator: c.optional(c.slug('one indicator; all of them when left out', c.INDICATORS)),
  },
  access: { class: 'public' },
  body: c.listAt('data'),
  row: s.object({
    currency: s.string(),
    indicator: s.string(),
    'available?': s.boolean(),
    'row_count?': s.integer(),
    'earliest_available_date?': s.date(),
    'latest_available_date?': s.date(),
  }),
  envelope: s.object({ count: s.integer() }),
  provisional: 'the body, and how it narrows',
  fresh: 86_400,
  deprecated: { since: c.DEPRECATED_SINCE, successor: '/v1/data_catalogue/{currency}?include_coverage=true' },
  without: { command: 'deprecated: catalogue CCY --include-coverage true says it' },
  compose: composeCoverageMatrix,
  doc: {
    summary: 'Indicators of each currency, with their first and last dates',
    example: {},
    exampleQuery: { currency: 'USD' },
  },
});
