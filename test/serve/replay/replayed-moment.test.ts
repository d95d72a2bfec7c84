import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { parseObject } from '../../../src/contract/json/json.ts';
import type { Args } from '../../../src/contract/params/params.ts';
import { endpointById, MAPPINGS } from '../../../src/endpoints/index.ts';
import type { Mirror } from '../../../src/mirror/api/mirror.ts';
import { openMirror } from '../../../src/mirror/sqlite/open.ts';
import { createReplaySource } from '../../../src/serve/replay.ts';
import { createMirrorSource } from '../../../src/source/mirror.ts';
import { page, SERVICE } from '../../mirror/support.ts';
import { chosenPayrolls } from '../../support/payrolls.ts';
import { testPlatform } from '../../support/platform.ts';
import { macro } from '../../support/run.ts';
import { freshMirror, LABELS, sandboxMirror } from '../../support/service.ts';

/** What a replay over a mirror says at a moment of its clock, while it really is the time of the platform. */
function replayOf(mirror: Mirror, present: number) {
  const history = createMirrorSource({ mirror, labels: LABELS });
  const source = createReplaySource({ history, events: history, present: () => present });
  return async (moment: string | number, id: string, args: Args) => {
    const endpoint = endpointById(id);
    if (!endpoint) throw new Error(id);
    const now = typeof moment === 'number' ? moment : Date.parse(moment);
    const reply = await source.ask({ endpoint, args }, { caller: { kind: 'keyed', plan: 'individual' }, now });
    return { data: [], ...parseObject(reply.body), missing: reply.partial?.mark.missing ?? [] };
  };
}

const SERIES = { currency: 'USD', indicator: 'non_farm_payrolls_change' };
const FOUND = 'announcements usd non_farm_payrolls_change';
const LAST = '2022-01-07T13:30:00Z';
const LATER = '2022-06-15T12:00:00Z';
const USUAL = { limit: 20, offset: 0, revisions: 'latest', availability: 'public' };
const HISTORY = { ...SERIES, start_date: '2020-02-01', end_date: '2021-12-31', ...USUAL };
const PANEL = {
  series: ['USD:non_farm_payrolls_change'],
  start_date: '2020-02-01',
  end_date: '2021-12-31',
  availability: 'public',
};

/** A mirror of payrolls in four vintages of ALFRED, of which two and two follow each other. */
async function payrolls() {
  const at = testPlatform();
  const vintages = chosenPayrolls('20210205', '20210305', '20211203', '20220107');
  writeFileSync(join(at.folder, 'alfredgraph.csv'), vintages);
  const path = join(at.folder, 'payrolls.db');
  expect((await macro(`import alfredgraph.csv --quiet --mirror ${path}`, at)).code).toBe(0);
  const mirror = await openMirror({ path, mappings: MAPPINGS, platform: at.platform, mode: 'read' });
  onTestFinished(() => mirror.close());
  const terminal = async (line: string) => {
    const { code, out } = await macro(`${line} --format json --quiet --mirror ${path}`, at);
    return { code, missing: JSON.parse(out).mirror?.missing ?? [] };
  };
  return { ask: replayOf(mirror, at.platform.clock.now()), present: at.platform.clock.now(), terminal };
}

const newestOf = (data: unknown) => (data as readonly { readonly date: string; readonly val: number }[])[0];

it('says what it does not know of the moment of its clock, as the terminal does of that moment', async () => {
  const { ask, terminal } = await payrolls();
  const gap = (from: string, to: string) => [{ from, to }];
  const known: readonly [string, readonly unknown[], number][] = [
    ['2021-03-05T13:29:59Z', [], 49],
    ['2021-03-05T13:30:00Z', [], 379],
    ['2021-11-15T00:00:00Z', gap('2021-03-05T13:30:00Z', '2021-11-15T00:00:00Z'), 379],
    [LAST, [], 199],
    [LATER, gap(LAST, LATER), 199],
  ];
  for (const [moment, missing, val] of known) {
    const replayed = await ask(moment, 'announcements', HISTORY);
    expect([moment, replayed.missing, newestOf(replayed.data)?.val]).toEqual([moment, missing, val]);
    const told = await terminal(`${FOUND} --start 2020-02-01 --end 2021-12-31 --as-of ${moment}`);
    expect([moment, told]).toEqual([moment, { code: missing.length === 0 ? 0 : 10, missing }]);
  }
});

it('says so of answers that are made of several series', async () => {
  const { ask } = await payrolls();
  const latest = { currency: 'USD' };
  const unknown = { series: FOUND, from: LAST, to: LATER };
  const other = { series: 'announcements latest usd' };
  expect((await ask(LAST, 'announcements_latest', latest)).missing).toEqual([other]);
  expect((await ask(LATER, 'announcements_latest', latest)).missing).toEqual([other, unknown]);
  const settled = ask(LATER, 'settlement', { ...SERIES, period: '2021-12-31' });
  await expect(settled).rejects.toMatchObject({ kind: 'incomplete', code: 'mirror_incomplete' });
});

it('gives a panel no value at a decision that it does not know of, be it one of its clock', async () => {
  const { ask } = await payrolls();
  const cells = async (moment: string, ...times: readonly string[]) => {
    const { data, missing } = await ask(moment, 'research_panel', { ...PANEL, decision_times: times });
    const rows = data as readonly { values: readonly [{ val: number | null; reason?: string }] }[];
    return [rows.map(({ values: [one] }) => one.reason ?? one.val), missing];
  };
  const missing = [{ series: FOUND, from: LAST, to: LATER }];
  expect(await cells(LATER, '2022-01-07T13:30:01Z', LATER)).toEqual([[199, 'not_known_then'], missing]);
  expect(await cells(LAST, '2021-03-05T13:30:01Z', LAST)).toEqual([[379, 210], []]);
});

it('lacks nothing by the moment of a clock that shows the real present', async () => {
  const { ask, present } = await payrolls();
  const missing = async (moment: number) => (await ask(moment, 'announcements', HISTORY)).missing;
  expect(await missing(present)).toEqual([]);
  // The clock of the request was read before the real one.
  expect(await missing(present - 999)).toEqual([]);
  expect(await missing(present - 1_000)).toHaveLength(1);
  expect(await missing(present + 300_000)).toEqual([]);
  expect(await missing(present + 301_000)).toHaveLength(1);
});

it('lacks nothing of a service up to the last look, and nothing of synthetic data', async () => {
  const { platform } = testPlatform({ now: '2026-11-20T00:00:00Z' });
  const looked = Date.parse('2026-11-18T12:00:00Z');
  const mirror = await freshMirror(platform, 'service.db');
  const scope = { currency: 'USD', indicator: 'inflation' };
  const row = '{"date":"2026-09-30","val":3.2,"announcement_datetime":1791981000}';
  await mirror.commitPage(
    page([row], {
      series: { origin: SERVICE, endpoint: 'announcements', scope },
      covered: { from: '1900-01-01', to: '2026-11-18', rows: 1 },
      at: looked,
    }),
  );
  const window = { ...scope, start_date: '2026-09-01', end_date: '2026-10-31', ...USUAL };
  const ask = replayOf(mirror, platform.clock.now());
  const missing = async (moment: string) => (await ask(moment, 'announcements', window)).missing;
  expect(await missing('2026-10-20T00:00:00Z')).toEqual([]);
  expect(await missing('2026-11-18T12:00:00Z')).toEqual([]);
  expect(await missing('2026-11-19T00:00:00Z')).toEqual([{ from: '2026-11-18T12:00:00Z', to: '2026-11-19T00:00:00Z' }]);
  const made = replayOf(await sandboxMirror(platform), platform.clock.now() + 86_400_000 * 365);
  for (const moment of ['2026-06-15T12:00:00Z', '2026-11-20T00:00:00Z', '2027-03-01T00:00:00Z'])
    expect((await made(moment, 'announcements', { ...window, start_date: '2026-01-01' })).missing).toEqual([]);
});
