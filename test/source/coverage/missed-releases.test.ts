import { expect, test } from 'vitest';
import type { Mirror } from '../../../src/mirror/api/mirror.ts';
import { missedReleases } from '../../../src/source/coverage/missed-releases.ts';
import { CALENDAR, INFLATION, MIDNIGHT, page, testMirror } from '../../mirror/support.ts';

const DAY = 86_400;
/** Three days before the mirror's midnight. */
const DUE = MIDNIGHT / 1000 - 3 * DAY;
const event = (release: string, at: number) =>
  `{"announcement_datetime":${at},"calendar_event_id":"${release}_${at}","release":"${release}"}`;

async function world(released: readonly number[], provenAt: number) {
  const { mirror } = await testMirror();
  const events = [event('inflation', DUE), event('gdp', DUE), event('inflation', MIDNIGHT / 1000 + DAY)];
  await mirror.commitPage(page(events, { series: CALENDAR }));
  const rows = released.map((at, i) => `{"date":"2026-10-0${i + 1}","val":1,"announcement_datetime":${at}}`);
  const proof = { from: '2000-01-01', to: '2026-11-21', rows: rows.length, provenAt };
  await mirror.commitPage(page(rows, { series: INFLATION, proof }));
  return mirror;
}

const missedIn = async (mirror: Mirror) =>
  (await mirror.snapshot((reader) => missedReleases(reader, MIDNIGHT))).map(({ series, due }) => [series.scope, due]);

test('a release that was due, inside a window proven later, and of which there is no row, is missed', async () => {
  const mirror = await world([DUE - 30 * DAY], MIDNIGHT);
  expect(await missedIn(mirror)).toEqual([[INFLATION.scope, [DUE]]]);
});

test.each([
  ['that came within a day', [DUE + 7200], MIDNIGHT],
  ['that nobody asked for since', [], DUE * 1000],
])('a release %s is not missed', async (_, released, provenAt) => {
  expect(await missedIn(await world(released, provenAt))).toEqual([]);
});
