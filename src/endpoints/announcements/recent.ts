import { FREEMIUM_DELAY, FREEMIUM_WINDOW } from '../../contract/answer-members.ts';
import { defineEndpoint, rowWith } from '../../contract/endpoint.ts';
import { listAt } from '../../contract/json/body.ts';
import * as s from '../../contract/json/schema.ts';
import { offset } from '../../contract/paging.ts';
import { currency } from '../../contract/params/params.ts';
import { MAIN_CURRENCIES } from '../../contract/words/words.ts';
import { composeRecent } from '../../derive/announcements/recent.ts';
import announcements from './series.ts';

export default defineEndpoint({
  id: 'announcements_recent',
  path: '/v1/recent/announcements/{currency}',
  group: 'announcements',
  at: { currency: currency('currency of the indicators', MAIN_CURRENCIES, 404) },
  access: announcements.access,
  paging: offset({ page: true, marksLatest: true }),
  body: listAt('data'),
  row: rowWith({ indicator: s.string('indicator that was released') }, announcements.row),
  envelope: s.object({
    currency: s.string(),
    'as_of?': s.date('newest date visible to the caller'),
    count: s.integer('rows of this page'),
    'freemium_window?': FREEMIUM_WINDOW,
    'freemium_delay?': FREEMIUM_DELAY,
  }),
  provisional: 'the body and its order',
  fresh: 300,
  compose: composeRecent,
  cli: {
    words: ['announcements', 'recent'],
    columns: ['announcement_datetime', 'indicator', 'date', 'val', 'previous_value', 'change_from_previous'],
    spare: ['change_from_previous', 'previous_value'],
    examples: ['announcements recent usd', 'announcements recent usd --limit 5 --format csv'],
  },
  doc: {
    summary: 'Newest releases of a currency, all indicators together',
    example: { currency: 'USD' },
  },
});
