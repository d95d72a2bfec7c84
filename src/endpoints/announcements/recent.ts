import * as c from '../../contract/describe.ts';
import * as s from '../../contract/json/schema.ts';
import { composeRecent } from '../../derive/announcements/recent.ts';
import announcements from './series.ts';

export default c.defineEndpoint({
  id: 'announcements_recent',
  path: '/v1/recent/announcements/{currency}',
  group: 'announcements',
  at: { currency: c.currency('currency of the indicators', c.MAIN_CURRENCIES, 404) },
  access: announcements.access,
  paging: c.offset({ page: true, marksLatest: true }),
  body: c.listAt('data'),
  row: c.rowWith({ indicator: s.string('indicator that was released') }, announcements.row),
  envelope: s.object({
    currency: s.string(),
    'as_of?': s.date('newest date visible to the caller'),
    count: s.integer('rows of this page'),
    'freemium_window?': c.FREEMIUM_WINDOW,
    'freemium_delay?': c.FREEMIUM_DELAY,
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
