import { defineEndpoint } from '../../contract/endpoint.ts';
import { listAt } from '../../contract/json/body.ts';
import * as s from '../../contract/json/schema.ts';
import { textField, wholeList } from '../../contract/mapping.ts';
import { selectsBy } from '../../contract/params/param.ts';
import { currency, optional, slug } from '../../contract/params/params.ts';
import { INDICATORS, MAIN_CURRENCIES } from '../../contract/words/words.ts';
import { composeContracts } from '../../derive/settlement/contracts.ts';

export default defineEndpoint({
  id: 'settlement_contracts',
  path: '/v1/settlement/contracts',
  group: 'settlement',
  at: {},
  query: {
    currency: optional(currency('templates of one currency', MAIN_CURRENCIES, 404)),
    indicator: optional(slug('templates of one indicator', INDICATORS)),
  },
  access: { class: 'public' },
  body: listAt('data'),
  row: s.object({
    contract_id: s.string(),
    'title?': s.string(),
    currency: s.string(),
    indicator: s.string(),
    'series_id?': s.string(),
    'unit?': s.string(),
    'publisher?': s.string(),
    'source_url?': s.string(),
    precision: s.integer('printed decimals'),
    outcome_rule: s.object({
      type: s.string('threshold or decision'),
      'comparison?': s.string('how the value is compared with a strike'),
      'outcomes?': s.strings,
    }),
    settles_on: s.string('first_print'),
  }),
  envelope: s.object({ count: s.integer() }),
  provisional: 'members of a template',
  fresh: 86_400,
  mirror: wholeList({
    table: 'settlement_contracts',
    key: [textField('contract_id')],
    columns: [textField('currency'), textField('indicator')],
    effects: { currency: selectsBy('currency'), indicator: selectsBy('indicator') },
  }),
  tellsHistory: () => true,
  compose: composeContracts,
  cli: {
    words: ['settlement', 'contracts'],
    columns: ['contract_id', 'title', 'unit', 'precision', 'outcome_rule.type', 'publisher'],
    spare: ['publisher', 'outcome_rule.type', 'precision'],
    examples: ['settlement contracts', 'settlement contracts --currency usd --indicator inflation'],
  },
  doc: { summary: 'Templates of event contracts', example: {} },
});
