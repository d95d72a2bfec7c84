import { expect, it } from 'vitest';
import { parseObject } from '../../../src/contract/json/json.ts';
import { endpointById } from '../../../src/endpoints/index.ts';
import { createReplaySource, replayHistory } from '../../../src/serve/replay.ts';
import { createMirrorSource } from '../../../src/source/mirror.ts';
import { page, SERVICE } from '../../mirror/support.ts';
import { testPlatform } from '../../support/platform.ts';
import { freshMirror, LABELS } from '../../support/service.ts';

const ms = (text: string) => Date.parse(text);
const seconds = (text: string) => ms(text) / 1000;
const NOW = '2026-11-20T00:00:00Z';
const CPI = seconds('2026-10-14T12:30:00Z');
const JOBS = seconds('2026-10-14T12:30:00Z');
const LATER = seconds('2026-11-13T13:30:00Z');

/** Received two seconds after its release. */
const RECEIVED = `{"event_id":"usd_inflation_${CPI}","currency":"usd","indicator":"inflation","records_written":1,"timestamp":${CPI + 2},"release_timestamp":${CPI},"latest_announcement":{"date":"2026-09-30","val":3.2,"announcement_datetime":"2026-10-14T12:30:00Z"}}`;
/** Derived from a row: with the value of that day, which was revised since. */
const DERIVED = `{"event_id":"usd_unemployment_${JOBS}","currency":"usd","indicator":"unemployment","timestamp":${JOBS},"release_timestamp":${JOBS},"latest_announcement":{"date":"2026-09-30","val":4.10,"announcement_datetime":"2026-10-14T12:30:00Z"}}`;

const INFLATION = `{"date":"2026-09-30","val":3.2,"announcement_datetime":${CPI},"revisions":[{"epoch":${CPI},"val":3.2}]}`;
const UNEMPLOYMENT = `{"date":"2026-09-30","val":4.3,"announcement_datetime":${JOBS},"revisions":[{"epoch":${JOBS},"val":4.10},{"epoch":${LATER},"val":4.3}]}`;

async function recorded() {
  const { platform } = testPlatform({ now: NOW });
  const mirror = await freshMirror(platform, 'history.db');
  const history = (indicator: string, row: string) =>
    mirror.commitPage(
      page([row], {
        series: { origin: SERVICE, endpoint: 'announcements', scope: { currency: 'USD', indicator } },
        at: ms(NOW),
      }),
    );
  await history('inflation', INFLATION);
  await history('unemployment', UNEMPLOYMENT);
  const feed = { origin: SERVICE, endpoint: 'announcements_changes', scope: {} };
  await mirror.commitPage(page([RECEIVED], { series: feed, arrived: { via: 'changes' }, at: ms(NOW) }));
  const scratch = await freshMirror(platform, 'scratch.db');
  const startsAt = ms('2026-10-14T12:29:00Z');
  const events = await replayHistory({ reader: mirror, scratch, nature: 'real', startsAt });
  const source = createReplaySource({
    history: createMirrorSource({ mirror, labels: LABELS }),
    events: createMirrorSource({ mirror: scratch, labels: LABELS }),
    present: () => ms(NOW),
  });
  const ask = async (id: string, args: Readonly<Record<string, string | number>>, now: number) => {
    const endpoint = endpointById(id);
    if (!endpoint) throw new Error(id);
    const { body } = await source.ask({ endpoint, args }, { caller: { kind: 'keyed', plan: 'individual' }, now });
    return parseObject(body);
  };
  return { events, scratch, ask };
}

it('tells each event at its time, as it came or as its row was then', async () => {
  const { events, scratch } = await recorded();
  const told = async () => (await scratch.journal.events({ after: 0, limit: 10 })).map(({ text }) => text);
  const moments: number[] = [];
  const seen: unknown[] = [];
  for (const at of ['12:29:59', '12:30:00', '12:30:01', '12:30:02', '13:00:00']) {
    moments.push((await events.upTo(ms(`2026-10-14T${at}Z`))) / 1000);
    seen.push((await told()).length);
  }
  expect(await told()).toEqual([DERIVED, RECEIVED]);
  expect(seen).toEqual([0, 1, 1, 2, 2]);
  expect(moments).toEqual([JOBS, CPI + 2, CPI + 2, Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY]);
});

it('answers changes from what was told, and histories from what was public', async () => {
  const { events, ask } = await recorded();
  const changes = (now: number) =>
    ask('announcements_changes', { since: String(CPI - 60), payload: 'compact', limit: 100 }, now);
  const before = ms('2026-10-14T12:29:59Z');
  await events.upTo(before);
  expect((await changes(before)).data).toEqual([]);
  const after = ms('2026-10-14T12:30:02Z');
  await events.upTo(after);
  expect((await changes(after)).data).toEqual([JSON.parse(DERIVED), JSON.parse(RECEIVED)]);
  const window = { currency: 'USD', indicator: 'unemployment', start_date: '2026-09-01', end_date: '2026-10-14' };
  const rows = async (now: number) => (await ask('announcements', { ...window, limit: 20, offset: 0 }, now)).data;
  expect(await rows(after)).toMatchObject([{ date: '2026-09-30', val: 4.1 }]);
  expect(await rows(LATER * 1000)).toMatchObject([{ date: '2026-09-30', val: 4.3 }]);
});
