import * as c from '../../contract/describe.ts';
import * as s from '../../contract/json/schema.ts';
import { composeContract } from '../../derive/settlement/compose.ts';
import { comparison, contractId, period, RECORD, strike } from './params.ts';

export default c.defineEndpoint({
  id: 'settlement_contract',
  path: '/v1/settlement/contracts/{contract_id}',
  group: 'settlement',
  at: { contract_id: contractId('contract, as settlement contracts lists them') },
  query: {
    period,
    strike,
    comparison: c.optional(comparison('how the value is compared with the strike; default: as the template says')),
  },
  // The template tells the currency.
  access: { class: 'usd', window: true, delayed: true, late: true },
  body: c.record,
  row: s.object(RECORD),
  provisional: 'members of a record, and what its signature covers',
  fresh: 3600,
  mirror: {
    table: 'settlement_contract_records',
    scope: ['contract_id', 'period', 'strike', 'comparison'],
    key: [c.textField('period')],
    order: 'newest',
    columns: [c.textField('currency'), c.textField('indicator')],
    dependent: ['attestation'],
    sync: { kind: 'snapshot' },
  },
  tellsHistory: () => true,
  compose: composeContract,
  cli: {
    words: ['settlement', 'contract'],
    columns: ['period', 'status', 'settlement_value', 'latest_value', 'revised', 'outcome', 'attestation.key_id'],
    spare: ['attestation.key_id', 'latest_value', 'revised'],
    examples: [
      'settlement contract usd_inflation_threshold --strike 3.0',
      'settlement contract usd_policy_rate_decision --format json',
    ],
  },
  doc: {
    summary: 'Settles one contract template for one release',
    example: { contract_id: 'usd_inflation_threshold' },
    exampleQuery: { strike: '3.0' },
  },
});
