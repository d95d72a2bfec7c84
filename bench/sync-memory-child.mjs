// Syncs so many histories of 20 years into a mirror. Arguments: the file, the number of histories. Answers are
// made as they are asked for, so that the service holds nothing either.
import { NOW, ratesOf } from './mirror-support.mjs';
import { answerTo, fetchOver, quoteNames, syncAll } from './sync-support.mjs';

const DAY = 86_400_000;
const DAYS = 7300;
const [path, count] = process.argv.slice(2);

function answer(_, asked) {
  const last = Math.min(Date.parse(asked.get('end_date')), NOW - DAY);
  const first = Math.max(Date.parse(asked.get('start_date')), NOW - DAYS * DAY);
  const length = Math.max(0, Math.round((last - first) / DAY) + 1);
  // Only the rows of the page are made: what the service throws away is not what is measured.
  const slice = (from, to) => ratesOf(Math.min(to, length) - from, { last: last - from * DAY });
  return answerTo({ length, slice }, asked);
}

const quotes = quoteNames(Number(count));
const { rows } = await syncAll(path, fetchOver(answer), quotes);
if (rows.added < (DAYS - 1) * quotes.length) throw new Error(`the sync brought ${rows.added} rows`);
