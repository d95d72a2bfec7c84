import { defineEndpoint } from '../../contract/endpoint.ts';
import { unpaged } from '../../contract/paging.ts';
import { currency } from '../../contract/params/params.ts';
import { MAIN_CURRENCIES } from '../../contract/words/currencies.ts';
import latest from './latest.ts';

const { group, access, body, row, envelope = {}, fresh } = latest;

export default defineEndpoint({
  id: 'latest_announcements',
  path: '/v1/latest/announcements/{currency}',
  group,
  at: { currency: currency('currency of the indicators', MAIN_CURRENCIES, 404) },
  query: {},
  access,
  paging: unpaged,
  body,
  row,
  envelope,
  provisional: 'that it answers like announcements/{currency}/latest',
  fresh,
  without: { command: 'its rows are those of announcements latest CCY' },
  sameAs: { endpoint: latest, args: {} },
  doc: {
    summary: 'Latest value of every indicator of a currency, by its other address',
    example: { currency: 'USD' },
  },
});
