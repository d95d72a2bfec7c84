import * as c from '../../contract/describe.ts';
import * as s from '../../contract/json/schema.ts';
import { composeCapabilities } from '../../derive/catalogue.ts';

export default c.defineEndpoint({
  id: 'capabilities',
  path: '/v1/capabilities',
  group: 'data catalogue',
  at: {},
  query: { currency: c.optional(c.currency('one currency; all of them when left out', c.MAIN_CURRENCIES, 404)) },
  access: { class: 'public' },
  body: c.listAt('data'),
  row: s.object({
    currency: s.string(),
    endpoints: s.array(s.object({ path: s.string(), method: s.string(), requires_api_key: s.boolean() })),
  }),
  envelope: s.object({ count: s.integer() }),
  provisional: 'the body, and how it narrows',
  fresh: 86_400,
  deprecated: {
    since: c.DEPRECATED_SINCE,
    successor: '/v1/data_catalogue/{currency}?include_capabilities=true',
  },
  without: { command: 'deprecated: catalogue CCY --include-capabilities true says it' },
  compose: composeCapabilities,
  doc: {
    summary: 'Requirements of the endpoints, by currency',
    example: {},
    exampleQuery: { currency: 'USD' },
  },
});
