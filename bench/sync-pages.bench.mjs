// A sync of whole histories whose pages are in memory: read, checked, committed and proven, against one prepared
// better-sqlite3 insert of the same rows in as many transactions. There are as many rows as the publisher's file of all its
// rates has, so that what is done once a run weighs here what it weighs in life. Pages are bytes that are made beforehand, and
// no `Response` is made around them, so what is timed is ours.
import { insertBare, NOW, ratesOf, withFiles } from './mirror-support.mjs';
import { alternate, seeded } from './support.mjs';
import { answerTo, fetchKept, PAGE, quoteNames, syncAll } from './sync-support.mjs';

const QUOTES = quoteNames(31);
const DAYS = 7000;

function windowOf(rows, asked) {
  const [from, to] = [asked.get('start_date') ?? '0', asked.get('end_date') ?? '9'];
  return rows.filter(({ value: { date } }) => date >= from && date <= to);
}

export default {
  name: 'sync: pages to committed rows, vs bare inserts of the rows',
  goal: 1.67,
  run: () =>
    withFiles(async (path) => {
      const random = seeded(7);
      const histories = new Map(QUOTES.map((quote) => [quote, ratesOf(DAYS, { random, last: NOW - 86_400_000 })]));
      const fetch = fetchKept((quote, asked) => answerTo(windowOf(histories.get(quote), asked), asked));
      const report = await syncAll(path(), fetch, QUOTES);
      const { added } = report.rows;
      if (added !== QUOTES.length * DAYS) throw new Error(`the sync brought ${added} rows: ${JSON.stringify(report)}`);
      const lists = [...histories.values()].flatMap((rows, series) =>
        Array.from({ length: DAYS / PAGE }, (_, page) => ({
          series,
          rows: rows.slice(page * PAGE, (page + 1) * PAGE),
        })),
      );
      const compared = await alternate({
        ours: () => syncAll(path(), fetch, QUOTES),
        theirs: () => insertBare(path(), lists),
        rounds: 5,
        warmUps: 1,
      });
      const speed = (ms) => `${Math.round(added / ms)} k rows/s`;
      return {
        ...compared,
        detail: `${speed(compared.ours)} against ${speed(compared.theirs)}, ${report.requests} requests`,
      };
    }),
};
