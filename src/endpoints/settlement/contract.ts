import { defineEndpoint } from '../../contract/endpoint.ts';
import { record } from '../../contract/json/body.ts';
import * as s from '../../contract/json/schema.ts';
import { textField } from '../../contract/mapping.ts';
import { optional } from '../../contract/params/params.ts';
import { composeContract } from '../../derive/settlement/compose.ts';
import { comparison, contractId, period, RECORD, strike } from './params.ts';

export default defineEndpoint({
  id: 'settlement_contract',
  path: '/v1/settlement/contracts/{contract_id}',
  group: 'settlement',
  at: { contract_id: contractId('contract, as settlement contracts lists them') },
  query: {
    period,
    strike,
    comparison: optional(comparison('how the value is compared with the strike; default: as the template says')),
  },
  // The template tells the currency.
  access: { class: 'usd', window: true, delayed: true, late: true },
  body: record,
  row: s.object(RECORD),
  provisional: 'members of a record, and what its signature covers',
  fresh: 3600,
  mirror: {
    table: 'settlement_contract_records',
    scope: ['contract_id', 'period', 'strike', 'comparison'],
    key: [textField('period')],
    order: 'newest',
    columns: [textField('currency'), textField('indicator')],
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
