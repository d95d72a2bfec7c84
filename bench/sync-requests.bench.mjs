// Requests of a sync of whole histories, beside the fewest that pages of 100 rows allow: one more for each series is the goal.
import { NOW, ratesOf, withFiles } from './mirror-support.mjs';
import { seeded } from './support.mjs';
import { answerTo, fetchOver, PAGE, syncAll } from './sync-support.mjs';

/** Rows of each series: at, below and above whole pages, and one with none to the page. */
const DAYS = { USD: 6_983, GBP: 5_000, JPY: 4_999, CHF: 5_001, AUD: 100, CAD: 99, NZD: 101, SEK: 1 };

export default {
  name: 'sync: requests for whole histories vs the fewest possible and one a series',
  goal: 1,
  run: () =>
    withFiles(async (path) => {
      const random = seeded(7);
      const quotes = Object.keys(DAYS);
      const histories = new Map(
        quotes.map((quote) => [quote, ratesOf(DAYS[quote], { random, last: NOW - 86_400_000 })]),
      );
      const inWindow = (rows, asked) => {
        const [from, to] = [asked.get('start_date') ?? '0', asked.get('end_date') ?? '9'];
        return rows.filter(({ value: { date } }) => date >= from && date <= to);
      };
      const answer = (quote, asked) => answerTo(inWindow(histories.get(quote), asked), asked);
      let requests = 0;
      const fetch = fetchOver((...asked) => {
        requests += 1;
        return answer(...asked);
      });
      const report = await syncAll(path(), fetch, quotes);
      const rows = Object.values(DAYS).reduce((sum, days) => sum + days, 0);
      if (report.rows.added !== rows) throw new Error(`the sync brought ${report.rows.added} of ${rows} rows`);
      const fewest = Object.values(DAYS).reduce((sum, days) => sum + Math.ceil(days / PAGE), 0);
      const detail = `${requests} requests for ${rows} rows of ${quotes.length} series; the fewest are ${fewest}`;
      return { ratio: requests / (fewest + quotes.length), detail };
    }),
};
