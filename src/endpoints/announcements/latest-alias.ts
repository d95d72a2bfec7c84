import { aliasOf, defineEndpoint } from '../../contract/endpoint.ts';
import { currency } from '../../contract/params/params.ts';
import { MAIN_CURRENCIES } from '../../contract/words/words.ts';
import latest from './latest.ts';

export default defineEndpoint({
  id: 'latest_announcements',
  path: '/v1/latest/announcements/{currency}',
  ...aliasOf(latest),
  at: { currency: currency('currency of the indicators', MAIN_CURRENCIES, 404) },
  provisional: 'that it answers like announcements/{currency}/latest',
  without: { command: 'its rows are those of announcements latest CCY' },
  doc: {
    summary: 'Latest value of every indicator of a currency, by its other address',
    example: { currency: 'USD' },
  },
});
