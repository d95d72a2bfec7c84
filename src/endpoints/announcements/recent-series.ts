import * as c from '../../contract/describe.ts';
import announcements from './series.ts';

export default c.defineEndpoint({
  id: 'announcements_recent_series',
  path: '/v1/recent/announcements/{currency}/{indicator}',
  ...c.aliasOf(announcements),
  at: {
    currency: c.currency('currency of the indicator', c.MAIN_CURRENCIES, 404),
    indicator: c.slug('indicator', c.INDICATORS),
  },
  paging: c.offset({ size: 5, page: true, marksLatest: true }),
  provisional: 'that it answers like the history, five rows a page',
  cli: {
    words: ['announcements', 'recent'],
    columns: announcements.cli?.columns ?? [],
    spare: announcements.cli?.spare ?? [],
    spark: 'val',
    examples: ['announcements recent usd inflation', 'announcements recent usd inflation --limit 3 --format json'],
  },
  doc: {
    summary: 'Newest values of one indicator',
    example: { currency: 'USD', indicator: 'inflation' },
  },
});
