import type { Without } from '../../contract/endpoint.ts';
import * as s from '../../contract/json/schema.ts';

const codes = s.array({ type: 'string', pattern: '^[A-Za-z]{3}$' }, 'codes, in any letter case');
const slugs = s.array({ type: 'string', pattern: '^[A-Za-z0-9][A-Za-z0-9_]{0,79}$' }, 'slugs, in any letter case');

/** Null stands for all; a list of none would be a subscription to nothing. */
const filter = (list: s.JsonSchema) => s.nullable({ ...list, minItems: 1 });

/** The fields of a subscription that a caller decides. See docs/interface-events.md#webhook-subscriptions. */
const fields = {
  url: { ...s.string('public https address that events are posted to'), maxLength: 2048 },
  events: { ...s.array(s.oneOf('announcement')), minItems: 1, maxItems: 1 },
  currencies: filter(codes),
  indicators: filter(slugs),
  description: s.nullable({ ...s.string(), maxLength: 256 }),
};

/** A member that nobody knows is most likely a misspelled one: it is refused, never ignored. */
const closed = (schema: s.JsonSchema): s.JsonSchema => ({ ...schema, additionalProperties: false });

const { url, events, currencies, indicators, description } = fields;

export const creation = closed(
  s.object({
    url,
    'events?': events,
    'currencies?': currencies,
    'indicators?': indicators,
    'description?': description,
  }),
);

export const change = closed(
  s.object({
    'url?': url,
    'events?': events,
    'currencies?': currencies,
    'indicators?': indicators,
    'description?': description,
    'status?': s.oneOf('active', 'disabled'),
  }),
);

export const subscription = s.object({
  id: s.string('sub_ and lower-case base32'),
  url: s.string('public https address'),
  status: s.string('active or disabled'),
  events: s.strings,
  'currencies?': s.nullable(s.strings),
  'indicators?': s.nullable(s.strings),
  'description?': s.nullable(s.string()),
  'failure_count?': s.integer('deliveries that failed for good'),
  'consecutive_failure_count?': s.integer('since the last success'),
  'success_count?': s.integer(),
  'created_at?': s.dateTime(),
  'updated_at?': s.nullable(s.dateTime()),
  'disabled_at?': s.nullable(s.dateTime()),
  'disabled_reason?': s.nullable(s.string()),
});

/** The same with the signing secret of its deliveries, shown once. */
export const disclosed: s.JsonSchema = {
  ...subscription,
  properties: { ...s.propertiesOf(subscription), signing_secret: s.string('whsec_ and 64 hex digits') },
  required: ['id', 'signing_secret'],
};

export const BAD_DESTINATION = 'The destination may not be delivered to; `reason` says why';

/** The common part of all webhook routes but the command. */
export const NOT_KEPT: Without = {
  mirrored: 'the service keeps subscriptions by key, and they change with every delivery',
  offline: 'only the service knows its subscriptions',
};
