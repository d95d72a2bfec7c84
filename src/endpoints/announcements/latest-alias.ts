import * as c from '../../contract/describe.ts';
import latest from './latest.ts';

export default c.defineEndpoint({
  id: 'latest_announcements',
  path: '/v1/latest/announcements/{currency}',
  ...c.aliasOf(latest),
  at: { currency: c.currency('currency of the indicators', c.MAIN_CURRENCIES, 404) },
  provisional: 'that it answers like announcements/{currency}/latest',
  without: { command: 'its rows are those of announcements latest CCY' },
  doc: {
    summary: 'Latest value of every indicator of a currency, by its other address',
    example: { currency: 'USD' },
  },
});
