import * as c from '../../contract/describe.ts';
import * as s from '../../contract/json/schema.ts';
import { composeRecord } from '../../derive/settlement/compose.ts';
import { comparison, period, RECORD, strike } from './params.ts';

export default c.defineEndpoint({
  id: 'settlement',
  path: '/v1/settlement/{currency}/{indicator}',
  group: 'settlement',
  at: {
    currency: c.currency('currency of the indicator', c.MAIN_CURRENCIES, 404),
    indicator: c.slug('indicator', c.INDICATORS),
  },
  query: { period, strike, comparison: c.withDefault(comparison('how the value is compared with the strike'), 'gte') },
  access: { class: 'usd', window: true, delayed: true },
  body: c.record,
  row: s.object(RECORD),
  provisional: 'members of a record, and what its signature covers',
  fresh: 3600,
  mirror: {
    table: 'settlement_records',
    scope: ['currency', 'indicator', 'period', 'strike', 'comparison'],
    key: [c.textField('period')],
    order: 'newest',
    columns: [],
    // A new signature alone tells nothing new.
    dependent: ['attestation'],
    sync: { kind: 'snapshot' },
  },
  tellsHistory: () => true,
  compose: composeRecord,
  cli: {
    words: ['settlement', 'record'],
    columns: ['period', 'status', 'settlement_value', 'latest_value', 'revised', 'outcome', 'attestation.key_id'],
    spare: ['attestation.key_id', 'latest_value', 'revised'],
    examples: ['settlement record usd inflation --strike 3.0', 'settlement record usd policy_rate --format json'],
  },
  doc: {
    summary: 'Settlement record of one release: first print, outcome, signature',
    example: { currency: 'USD', indicator: 'inflation' },
    exampleQuery: { strike: '3.0' },
  },
});
