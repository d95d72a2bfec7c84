import { aliasOf, defineEndpoint } from '../../contract/endpoint.ts';
import { offset } from '../../contract/paging.ts';
import { currency, slug } from '../../contract/params/params.ts';
import { INDICATORS, MAIN_CURRENCIES } from '../../contract/words/words.ts';
import announcements from './series.ts';

/** One row a page, so that the counts of a page stay honest for whoever walks back from it. */
export default defineEndpoint({
  id: 'latest_announcements_series',
  path: '/v1/latest/announcements/{currency}/{indicator}',
  ...aliasOf(announcements),
  at: {
    currency: currency('currency of the indicator', MAIN_CURRENCIES, 404),
    indicator: slug('indicator', INDICATORS),
  },
  paging: offset({ max: 1, size: 1, page: true, marksLatest: true }),
  provisional: 'that it answers like the history, one row',
  cli: {
    words: ['announcements', 'latest'],
    columns: announcements.cli?.columns ?? [],
    spare: announcements.cli?.spare ?? [],
    examples: ['announcements latest usd inflation', 'announcements latest usd inflation --format json'],
  },
  doc: {
    summary: 'Newest value of one indicator',
    example: { currency: 'USD', indicator: 'inflation' },
  },
});
