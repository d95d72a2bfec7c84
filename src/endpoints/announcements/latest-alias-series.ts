import * as c from '../../contract/describe.ts';
import announcements from './series.ts';

/** One row a page, so that the counts of a page stay honest for whoever walks back from it. */
export default c.defineEndpoint({
  id: 'latest_announcements_series',
  path: '/v1/latest/announcements/{currency}/{indicator}',
  ...c.aliasOf(announcements),
  at: {
    currency: c.currency('currency of the indicator', c.MAIN_CURRENCIES, 404),
    indicator: c.slug('indicator', c.INDICATORS),
  },
  paging: c.offset({ max: 1, size: 1, page: true, marksLatest: true }),
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
