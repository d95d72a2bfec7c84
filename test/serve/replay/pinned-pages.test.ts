import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import type { Caller } from '../../../src/contract/hooks.ts';
import { parseObject } from '../../../src/contract/json/json.ts';
import type { Args } from '../../../src/contract/params/params.ts';
import { endpointById, MAPPINGS } from '../../../src/endpoints/index.ts';
import type { Mirror } from '../../../src/mirror/api/mirror.ts';
import { openMirror } from '../../../src/mirror/sqlite/open.ts';
import { createReplaySource } from '../../../src/serve/replay.ts';
import { createMirrorSource } from '../../../src/source/mirror.ts';
import { EURUSD, INFLATION, page, rate } from '../../mirror/support.ts';
import { KEYED, KEYLESS } from '../../source/world.ts';
import { chosenPayrolls } from '../../support/payrolls.ts';
import { testPlatform } from '../../support/platform.ts';
import { macro } from '../../support/run.ts';
import { freshMirror, LABELS } from '../../support/service.ts';

const ms = (time: string) => Date.parse(time);

/** A replay over a mirror; each question says what its clock shows. */
function replayOf(mirror: Mirror, present = ms('2026-11-25T00:00:00Z')) {
  const history = createMirrorSource({ mirror, labels: LABELS });
  const source = createReplaySource({ history, events: history, present: () => present });
  return async (
    time: string | number,
    [id, args]: readonly [string, Args],
    { caller = KEYED, ifNoneMatch }: { readonly caller?: Caller; readonly ifNoneMatch?: string | undefined } = {},
  ) => {
    const endpoint = endpointById(id);
    if (!endpoint) throw new Error(id);
    const now = typeof time === 'number' ? time : ms(time);
    const { status, body, etag } = await source.ask(
      { endpoint, args },
      { caller, now, ...(ifNoneMatch !== undefined && { ifNoneMatch }) },
    );
    const json = status === 304 ? {} : parseObject(body);
    const rows = (json.data ?? []) as readonly Readonly<Record<string, unknown>>[];
    return { status, etag, body, version: String(json.dataset_version), rows };
  };
}

const USUAL = { limit: 20, offset: 0, revisions: 'latest', availability: 'public' };
/** The window ends with the last month of the file: days behind it are missing of a window that names them. */
const PAYROLLS = {
  ...{ currency: 'USD', indicator: 'non_farm_payrolls_change', start_date: '2020-02-01', end_date: '2021-12-31' },
  ...USUAL,
};

/** The vintages of months that follow each other. The last one came on 7 January 2022 at 8:30 in New York. */
const VINTAGES = ['20211105', '20211203', '20220107'] as const;
const BEFORE = '2022-01-07T13:29:59.999Z';
const RELEASE = '2022-01-07T13:30:00.000Z';

async function payrolls() {
  const at = testPlatform();
  const file = chosenPayrolls(...VINTAGES);
  writeFileSync(join(at.folder, 'alfredgraph.csv'), file);
  const path = join(at.folder, 'payrolls.db');
  expect((await macro(`import alfredgraph.csv --quiet --mirror ${path}`, at)).code).toBe(0);
  const mirror = await openMirror({ path, mappings: MAPPINGS, platform: at.platform, mode: 'read' });
  onTestFinished(() => mirror.close());
  const lines = file.trim().split('\n').slice(1);
  /** The values of a vintage as the file has them, newest first. */
  const published = (vintage: 0 | 1 | 2) =>
    lines
      .map((line) => line.split(','))
      .filter(([date = '', ...cells]) => date >= '2020-02-01' && !['.', ''].includes(cells[vintage] ?? ''))
      .map((cells) => Number(cells[vintage + 1]))
      .toReversed();
  return { ask: replayOf(mirror, at.platform.clock.now()), published };
}

it('gives every page of a pinned history while its clock moves and nothing is released', async () => {
  const { ask, published } = await payrolls();
  const vals: unknown[] = [];
  let pin: string | undefined;
  for (let offset = 0; offset < 24; offset += 5) {
    // A moment that no other page has, the last of them right before the release.
    const time = ms(BEFORE) - (20 - offset) * 977;
    const reply = await ask(time, ['announcements', { ...PAYROLLS, limit: 5, offset, dataset_version: pin }]);
    pin = reply.version;
    vals.push(...reply.rows.map(({ val }) => val));
  }
  expect(vals).toEqual(published(1));
  expect(vals).toHaveLength(22);
});

it('refuses the next page of a pinned history once a release has come', async () => {
  const { ask, published } = await payrolls();
  const first = await ask(BEFORE, ['announcements', PAYROLLS]);
  const after = await ask(RELEASE, ['announcements', { ...PAYROLLS, limit: 100 }]);
  await expect(
    ask(RELEASE, ['announcements', { ...PAYROLLS, offset: 20, dataset_version: first.version }]),
  ).rejects.toMatchObject({
    code: 'dataset_version_mismatch',
    status: 409,
    extra: { requested_dataset_version: first.version, current_dataset_version: after.version },
  });
  expect(after.rows.map(({ val }) => val)).toEqual(published(2));
});

it('keeps the version of a moment that somebody asks for, whatever is released meanwhile', async () => {
  const { ask } = await payrolls();
  const asked = { ...PAYROLLS, as_of: ms('2021-12-31T00:00:00Z') / 1000 };
  const first = await ask(BEFORE, ['announcements', asked]);
  const { body } = await ask(RELEASE, ['announcements', { ...asked, dataset_version: first.version }]);
  expect(body).toBe(first.body);
});

it('says that an answer has not changed exactly as long as its text is the same', async () => {
  const { ask } = await payrolls();
  const question = ['announcements', PAYROLLS] as const;
  const { etag, body } = await ask('2022-01-07T00:00:00Z', question);
  const same = await ask(BEFORE, question);
  expect([same.etag, same.body]).toEqual([etag, body]);
  expect(await ask(BEFORE, question, { ifNoneMatch: etag })).toMatchObject({ status: 304, body: '', etag });
  const after = await ask(RELEASE, question, { ifNoneMatch: etag });
  expect([after.status, after.etag === etag, after.body === body]).toEqual([200, false, false]);
  expect([etag, after.etag]).toEqual([expect.any(String), expect.any(String)]);
});

it('keeps the version of a partial answer, which has no validator, until a release', async () => {
  const { ask } = await payrolls();
  const told = async (time: string) => {
    const { body, ...reply } = await ask(time, ['announcements', { ...PAYROLLS, end_date: '2022-01-31' }]);
    return { ...reply, mark: parseObject(body).mirror };
  };
  const missing = [{ from: '2022-01-01', to: '2022-01-07' }];
  const first = await told('2022-01-07T00:00:00Z');
  expect([first.etag, first.mark]).toEqual([
    undefined,
    { complete: false, missing, checked_at: '2022-01-07T00:00:00Z' },
  ]);
  const mark = { complete: false, missing, checked_at: '2022-01-07T13:29:59Z' };
  expect(await told(BEFORE)).toEqual({ ...first, mark });
  expect((await told(RELEASE)).version).not.toBe(first.version);
});

it('keeps the version of a panel until one of its series has a release', async () => {
  const { ask, published } = await payrolls();
  const { limit: _, offset: __, revisions: ___, indicator: ____, currency: _____, ...window } = PAYROLLS;
  const panel = { ...window, series: ['USD:non_farm_payrolls_change'], decision_times: ['2021-12-10T00:00:00Z'] };
  const of = async (time: string, pin?: string) => {
    const { version, rows } = await ask(time, ['research_panel', { ...panel, dataset_version: pin }]);
    const [{ val } = {}] = rows.flatMap(({ values }) => values as readonly { val: unknown }[]);
    return { version, val };
  };
  const release = '2021-12-03T13:30:00Z';
  const first = await of('2021-12-03T00:00:00Z');
  expect(await of('2021-12-03T13:29:59.999Z', first.version)).toEqual(first);
  expect([first.val, (await of(release)).val]).toEqual([published(0)[0], published(1)[0]]);
  await expect(of(release, first.version)).rejects.toMatchObject({ code: 'dataset_version_mismatch' });
});

it('changes the version for callers without a key when a release becomes visible to them, and then alone', async () => {
  const { platform } = testPlatform({ now: '2026-11-20T00:00:00Z' });
  const mirror = await freshMirror(platform, 'service.db');
  const [august, september] = ['2026-09-11T12:30:00Z', '2026-10-14T12:30:00Z'].map((time) => ms(time) / 1000);
  const print = (date: string, val: number, revisions: readonly (readonly [number | undefined, number])[]) =>
    JSON.stringify({
      ...{ date, val, announcement_datetime: revisions[0]?.[0] },
      revisions: revisions.map(([epoch, value]) => ({ epoch, val: value })),
    });
  const rows = [
    print('2026-09-30', 3.1, [[september, 3.1]]),
    print('2026-08-31', 2.9, [
      [august, 3],
      [september, 2.9],
    ]),
  ];
  const looked = { access: 'keyless', at: ms('2026-11-20T00:00:00Z') } as const;
  const covered = { from: '2000-01-01', to: '2026-11-20', rows: 2 };
  await mirror.commitPage(page(rows, { series: INFLATION, covered, ...looked }));
  const ask = replayOf(mirror);
  const question = [
    'announcements',
    { ...INFLATION.scope, start_date: '2026-08-01', end_date: '2026-10-14', ...USUAL },
  ] as const;
  const told = async (caller: Caller, time: string) => {
    const { version, rows: found } = await ask(`2026-10-14T${time}Z`, question, { caller });
    return { version, rows: found.map(({ date, val }) => `${date} ${val}`) };
  };
  const old = ['2026-08-31 3'];
  const current = ['2026-09-30 3.1', '2026-08-31 2.9'];
  // A release is visible without a key 15 minutes later.
  const moments = ['12:00:00', '12:29:59', '12:30:00', '12:35:00', '12:44:59.999', '12:45:00', '12:50:00', '23:59:59'];
  for (const [caller, changesAt] of [
    [KEYLESS, '12:45:00'],
    [KEYED, '12:30:00'],
  ] as const) {
    const before = await told(caller, '01:00:00');
    const after = await told(caller, '13:00:00');
    expect([before.rows, after.rows, before.version === after.version]).toEqual([old, current, false]);
    for (const moment of moments)
      expect([moment, await told(caller, moment)]).toEqual([moment, moment < changesAt ? before : after]);
  }
});

it('keeps the version of rates that list no vintages between the commits that brought them', async () => {
  const { platform } = testPlatform({ now: '2026-11-20T18:00:00Z' });
  const mirror = await freshMirror(platform, 'rates.db');
  const at = (time: string) => ms(`2026-11-20T${time}Z`);
  const covered = { from: '2000-01-01', to: '2026-11-20', rows: 2 };
  await mirror.commitPage(page([rate('2026-11-19', 1.1), rate('2026-11-18', 1.2)], { covered, at: at('10:00:00') }));
  await mirror.commitPage(page([rate('2026-11-20', 1.3)], { at: at('15:00:00') }));
  const ask = replayOf(mirror);
  const window = { ...EURUSD.scope, start_date: '2026-11-01', end_date: '2026-11-20' };
  const pageOf = async (time: string, offset: number, pin?: string) => {
    const args = { ...window, limit: 1, offset, dataset_version: pin };
    const { version, rows } = await ask(at(time), ['forex', args]);
    return { version, rows: rows.map(({ date, val }) => `${date} ${val}`) };
  };
  const { version, rows } = await pageOf('10:00:00', 0);
  expect(rows).toEqual(['2026-11-19 1.1']);
  expect(await pageOf('14:59:59.999', 1, version)).toEqual({ version, rows: ['2026-11-18 1.2'] });
  await expect(pageOf('15:00:00', 1, version)).rejects.toMatchObject({ code: 'dataset_version_mismatch' });
  const next = await pageOf('15:00:00', 0);
  expect(next.rows).toEqual(['2026-11-20 1.3']);
  expect((await pageOf('17:00:00', 2, next.version)).rows).toEqual(['2026-11-18 1.2']);
});
