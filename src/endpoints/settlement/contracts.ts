import * as c from '../../contract/describe.ts';
import * as s from '../../contract/json/schema.ts';
import { composeContracts } from '../../derive/settlement/contracts.ts';

export default c.defineEndpoint({
  id: 'settlement_contracts',
  path: '/v1/settlement/contracts',
  group: 'settlement',
  at: {},
  query: {
    currency: c.optional(c.currency('templates of one currency', c.MAIN_CURRENCIES, 404)),
    indicator: c.optional(c.slug('templates of one indicator', c.INDICATORS)),
  },
  access: { class: 'public' },
  body: c.listAt('data'),
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
  mirror: c.wholeList({
    table: 'settlement_contracts',
    key: [c.textField('contract_id')],
    columns: [c.textField('currency'), c.textField('indicator')],
    effects: { currency: c.selectsBy('currency'), indicator: c.selectsBy('indicator') },
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
