// A day in which some of 2,000 followed series change: requests of the sync that brings them. A day is what the mirror is old,
// so that no scheduled check of revisions is due.
import { spawnSync } from 'node:child_process';
import { KEY } from './many-series.mjs';
import { environment, program, withHome } from './start-support.mjs';
import { changedSeries, fillHome, SERIES, withService } from './steady-support.mjs';

const CHANGED = 40;
const DAY_MS = 86_400_000;

/** Events of the feed: one for each series, of its newest row. */
function eventsOf(series, [newest]) {
  const seconds = Math.floor(Date.now() / 1000) - 3600;
  return series.map(({ currency, indicator }, i) => ({
    event_id: `${currency}_${indicator}_${seconds}`.toLowerCase(),
    currency: currency.toLowerCase(),
    indicator,
    records_written: 1,
    timestamp: seconds + i,
    release_timestamp: seconds,
    latest_announcement: { ...newest, val: newest.val + 1 },
  }));
}

export default {
  name: `sync: requests of a day with ${CHANGED} changed series of 2,000, vs ${CHANGED} + 5`,
  goal: 1,
  run: () =>
    withService((origin, tell) =>
      withHome(async (home) => {
        const rows = (await fillHome(home, origin, DAY_MS)).map(({ value }) => value);
        const changed = changedSeries(CHANGED);
        const [newest, ...older] = rows;
        await tell({ changes: eventsOf(changed, rows), rows: [{ ...newest, val: newest.val + 1 }, ...older] });
        const words = [program, 'sync', '--quiet', '--format', 'json', '--base-url', origin];
        const child = spawnSync(process.execPath, words, { env: { ...environment(home), MACRO_API_KEY: KEY } });
        if (child.status !== 0) throw new Error(`the sync failed: ${child.stderr}`);
        const requests = await (await fetch(`${origin}/requests`)).json();
        const count = Object.values(requests).reduce((sum, one) => sum + one, 0);
        const missed = changed.filter((one) => !requests[pathOf(one)]);
        if (missed.length > 0) throw new Error(`${missed.length} changed series were not asked`);
        return { ratio: count / (CHANGED + 5), detail: `${count} requests, ${SERIES} series followed` };
      }),
    ),
};

const pathOf = ({ currency, indicator }) => `/v1/announcements/${currency}/${indicator}`;
