import { unpagedQuery } from '../../contract/alias.ts';
import { defineEndpoint } from '../../contract/endpoint.ts';
import { offset } from '../../contract/paging.ts';
import { currency, slug } from '../../contract/params/params.ts';
import { MAIN_CURRENCIES } from '../../contract/words/currencies.ts';
import { INDICATORS } from '../../contract/words/indicators.ts';
import announcements from './series.ts';

const { group, access, body, row, checks = [], envelope = {}, fresh } = announcements;

export default defineEndpoint({
  id: 'announcements_recent_series',
  path: '/v1/recent/announcements/{currency}/{indicator}',
  group,
  at: {
    currency: currency('currency of the indicator', MAIN_CURRENCIES, 404),
    indicator: slug('indicator', INDICATORS),
  },
  query: unpagedQuery(announcements),
  checks,
  access,
  paging: offset({ size: 5, page: true, marksLatest: true }),
  versioned: true,
  body,
  row,
  envelope,
  provisional: 'that it answers like the history, five rows a page',
  fresh,
  sameAs: { endpoint: announcements, args: {} },
  cli: {
    words: ['announcements', 'recent'],
    columns: announcements.cli?.columns ?? [],
    spark: 'val',
    examples: ['announcements recent usd inflation', 'announcements recent usd inflation --limit 3 --format json'],
  },
  doc: {
    summary: 'Newest values of one indicator',
    example: { currency: 'USD', indicator: 'inflation' },
  },
});
