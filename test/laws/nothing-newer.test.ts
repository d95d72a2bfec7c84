// Law: an answer has no row, close, curve or settlement of a moment behind the last check of what it rests on.
import { describe, expect, it } from 'vitest';
import { createClient } from '../../src/client/create.ts';
import type { Endpoint } from '../../src/contract/endpoint.ts';
import { cutBody } from '../../src/contract/json/body.ts';
import type { JsonObject } from '../../src/contract/json/json.ts';
import { readParams } from '../../src/contract/params/read-params.ts';
import { addDays, dateOf } from '../../src/contract/time/time.ts';
import { ENDPOINTS, MAPPINGS } from '../../src/endpoints/index.ts';
import { MacroError } from '../../src/errors.ts';
import { openMirror } from '../../src/mirror/sqlite/open.ts';
import { createMirrorSource } from '../../src/source/mirror.ts';
import { runSync } from '../../src/sync/run.ts';
import { selectTargets } from '../../src/sync/series/select.ts';
import { madeOnce } from '../support/made-once.ts';
import { testPlatform } from '../support/platform.ts';
import { LABELS, SERVICE_URL, sandboxMirror, serviceOver } from '../support/service.ts';
import { EACH, exampleOf } from './wire.ts';

const DAY = 86_400_000;
const { platform, clock } = testPlatform({ now: '2026-11-18T15:00:00Z' });
const CHECKED = clock.now();
const LAST = dateOf(CHECKED);

/** Words for a series of every endpoint that is kept, and for the legs of computed ones. */
const WORDS = [
  'announcements usd inflation, announcements eur inflation, announcements usd policy_rate, announcements eur policy_rate',
  ...['2y', '5y', '10y', '30y'].map((tenor) => `announcements usd gov_bond_${tenor}`),
  ...['usd', 'aud', 'jpy'].map((quote) => `fx eur ${quote}, fx reference eur ${quote}, fx intraday eur ${quote}`),
  'fx session eur usd, fx sources, fx universe, commodities, sentiment, catalogue usd, calendar usd, calendar eur',
  'cot eur report=tff_futures, factor usd, predictions usd inflation, press usd, prices usd, curve usd',
];

/** A mirror that was synced at the moment of the check, with a key, from the sandbox of that moment. */
async function syncedMirror() {
  const path = await madeOnce(`nothing-newer ${CHECKED}.db`, async (to) => {
    const { fetch } = await serviceOver(await sandboxMirror(platform), platform);
    const mirror = await openMirror({ path: to, mappings: MAPPINGS, platform, mode: 'write' });
    const client = createClient({ platform: { ...platform, fetch }, baseUrl: SERVICE_URL, key: 'k-test' });
    const select = { endpoints: ENDPOINTS, now: CHECKED, indicatorsOf: async () => [] };
    const targets = await selectTargets([WORDS.join(', ')], select);
    const report = await runSync({ client, mirror, clock, targets });
    // The small sandbox does not have all of them.
    const problems = report.series.flatMap(({ problem }) => problem?.code ?? []);
    expect(problems.filter((code) => code !== 'not_mirrored')).toEqual([]);
    mirror.close();
  });
  return openMirror({ path, mappings: MAPPINGS, platform, mode: 'read' });
}

/** Routes of what is to come: a schedule, forecasts, and periods that end ahead. */
const AHEAD: ReadonlySet<string> = new Set(['calendar', 'calendar_snapshot', 'predictions', 'market_sessions']);

/** Routes whose window names periods, while their decisions lie before the check. */
const PERIODS: ReadonlySet<string> = new Set(['research_panel']);

const WINDOWS: readonly Readonly<Record<string, string>>[] = [
  {},
  { start_date: addDays(LAST, -5), end_date: addDays(LAST, 20) },
  { start_date: addDays(LAST, 1), end_date: addDays(LAST, 3) },
  { date: addDays(LAST, 2) },
  { as_of: `${addDays(LAST, 2)}T12:00:00Z` },
  { indicators: 'all' },
  { order: 'timestamp_desc' },
];

/** Rows by what tells them apart, without what says how old they are. */
function rowsIn(endpoint: Endpoint, body: Parameters<typeof cutBody>[1]): ReadonlyMap<string, JsonObject> {
  const key = endpoint.mirror?.key.map(({ from, name }) => (typeof from === 'string' ? from : name)) ?? ['date'];
  const rows = cutBody(endpoint.body, body).rows.map(({ value: { staleness_days: _, ...row } }) => row);
  return new Map(rows.map((row) => [JSON.stringify(key.map((name) => row[name] ?? row.date)), row]));
}

describe.each(EACH)('%s', (id, endpoint) => {
  it('has no value of a moment behind the last check, however much later it is asked', async () => {
    const mirror = await syncedMirror();
    const source = createMirrorSource({ mirror, labels: LABELS });
    const { path, query } = exampleOf(endpoint);
    try {
      for (const window of WINDOWS) {
        let atOnce: ReturnType<typeof rowsIn> | undefined;
        for (const later of [0, 1, 4, 40]) {
          const names = Object.keys(window);
          if (!names.every((name) => endpoint.query[name]) || (window.as_of && endpoint.query.as_of?.required))
            continue;
          const now = CHECKED + later * DAY;
          // Nobody knows anything as of a moment to come.
          if (window.as_of && Date.parse(window.as_of) > now) continue;
          const { args } = readParams(endpoint, { path, query: { ...query, ...window } }, { mode: 'liberal', now });
          const reply = await source.ask({ endpoint, args }, { caller: { kind: 'owner' }, now }).catch((error) => {
            if (error instanceof MacroError) return undefined;
            throw error;
          });
          if (!reply || AHEAD.has(id)) continue;
          const rows = rowsIn(endpoint, reply.body);
          // Named days that are over, and an empty window up to now, were not seen to their end.
          const end = window.end_date ?? window.date ?? window.as_of?.slice(0, 10);
          const isOver = end !== undefined && end > LAST && LAST < addDays(dateOf(now), -1) && !PERIODS.has(id);
          const isEmpty = rows.size === 0 && later > 0 && endpoint.mirror?.window?.from !== undefined && !end;
          if (isOver || isEmpty) expect([later, window, reply.partial !== undefined]).toEqual([later, window, true]);
          atOnce ??= rows;
          for (const [key, row] of rows) {
            const { date, timestamp_utc: time, val } = row;
            const day = typeof time === 'string' ? time.slice(0, 10) : date;
            const isLater = typeof day === 'string' && day > LAST && typeof val === 'number';
            expect([later, window, isLater && day]).toEqual([later, window, false]);
            // A window that does not follow the clock shows no row that it did not show when all was checked.
            if (Object.keys(window).some((name) => name !== 'indicators' && name !== 'order'))
              expect([later, window, key, row]).toEqual([later, window, key, atOnce.get(key)]);
          }
        }
      }
    } finally {
      mirror.close();
    }
  });
});
