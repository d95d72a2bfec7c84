import { aliasOf, defineEndpoint } from '../../contract/endpoint.ts';
import { offset } from '../../contract/paging.ts';
import { currency, slug } from '../../contract/params/params.ts';
import { INDICATORS, MAIN_CURRENCIES } from '../../contract/words/words.ts';
import announcements from './series.ts';

export default defineEndpoint({
  id: 'announcements_recent_series',
  path: '/v1/recent/announcements/{currency}/{indicator}',
  ...aliasOf(announcements),
  at: {
    currency: currency('currency of the indicator', MAIN_CURRENCIES, 404),
    indicator: slug('indicator', INDICATORS),
  },
  paging: offset({ size: 5, page: true, marksLatest: true }),
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
