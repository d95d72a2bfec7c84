// A sync of whole histories while the service answers at once: pages asked, read, checked, committed and proven, against
// one prepared better-sqlite3 insert of the same rows in as many transactions. The answers are texts that are made
// beforehand, so what is timed is ours.
import { insertBare, NOW, ratesOf, withFiles } from './mirror-support.mjs';
import { alternate, seeded } from './support.mjs';
import { answerTo, fetchOver, PAGE, syncAll } from './sync-support.mjs';

const QUOTES = ['USD', 'GBP', 'JPY', 'CHF', 'AUD', 'CAD', 'NZD', 'SEK'];
const DAYS = 5000;

/** Answers from whole histories, each made once. */
function remembering(histories) {
  const made = new Map();
  return (quote, asked) => {
    const name = `${quote}?${asked}`;
    if (!made.has(name)) made.set(name, answerTo(windowOf(histories.get(quote), asked), asked));
    return made.get(name);
  };
}

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
      const fetch = fetchOver(remembering(histories));
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
