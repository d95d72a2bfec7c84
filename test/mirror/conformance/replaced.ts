import { expect, test } from 'vitest';
import { asJsonText } from '../../../src/contract/json/json.ts';
import { type FreshMirror, INFLATION, MIDNIGHT, page, texts, walkOver } from '../support.ts';

const HOUR = 3_600_000;
const print = (date: string, val: number) => JSON.stringify({ date, val });
const OLD = [print('2026-10-31', 3.1), print('2026-09-30', 3)];
const NEW = [print('2026-10-31', 103.1), print('2026-09-30', 103)];

/** An answer of the series that the service calls so. */
const said = (id: string, rows: readonly string[], more: Parameters<typeof page>[1] = {}) =>
  page(rows, {
    series: INFLATION,
    envelope: { text: asJsonText(JSON.stringify({ selected_series_id: id })), inputs: `about ${id}` },
    ...more,
  });

const covered = (rows: number) => ({ from: '2026-09-01', to: '2026-10-31', rows });

/** The service means another series by the same words. */
export function replacedOf(fresh: FreshMirror): void {
  test('the old one is closed and stays as it was, the new one begins empty, and nothing of the two mixes', async () => {
    const { mirror, sql } = await fresh();
    await mirror.commitPage(said('old', OLD, { covered: covered(2), etag: '"1"', follows: { checked: true } }));
    const [before] = await mirror.find(INFLATION);
    const report = await mirror.commitPage(said('new', NEW.slice(0, 1), { at: MIDNIGHT + HOUR }));
    expect(report).toMatchObject({ added: 1, revised: 0, vanished: 0, replaced: { from: 'old', to: 'new' } });
    expect(await texts(mirror, INFLATION)).toEqual(NEW.slice(0, 1));
    const [now] = await mirror.find(INFLATION, 'now');
    if (!now || !before) throw new Error('no series');
    expect(now.id).not.toBe(before.id);
    expect(await mirror.coveredRanges(now, 'key:1')).toEqual([]);
    expect(await mirror.validator('key:1', 'forex EUR USD')).toBeUndefined();
    expect(await mirror.follows('announcements', 'key:1')).toEqual([]);
    expect(await mirror.find(INFLATION, MIDNIGHT)).toEqual([{ ...before, closedAt: MIDNIGHT + HOUR }]);
    expect(await mirror.find(INFLATION, MIDNIGHT + HOUR)).toEqual([now]);
    expect((await mirror.find(INFLATION, 'ever')).map(({ id }) => id)).toEqual([before.id, now.id]);
    expect((await mirror.rows(before, {})).map(({ text }) => text)).toEqual(OLD);
    expect(await sql('select val from v_announcements')).toEqual([{ val: 103.1 }]);
    expect(await mirror.commitPage(said('new', NEW, { at: MIDNIGHT + 2 * HOUR }))).not.toHaveProperty('replaced');
    expect((await mirror.verify()).findings).toEqual([]);
  });

  test('also within one transaction, and back again', async () => {
    const { mirror } = await fresh();
    const reports = await mirror.commitPages(
      ['a', 'b', 'b', 'a'].map((id, i) => said(id, [print('2026-10-31', i)], { at: MIDNIGHT + i * HOUR })),
    );
    expect(reports.map(({ replaced }) => replaced)).toEqual([
      undefined,
      { from: 'a', to: 'b' },
      undefined,
      { from: 'b', to: 'a' },
    ]);
    const told = async (at: number) => {
      const [series] = await mirror.find(INFLATION, at);
      return series && (await mirror.rows(series, {})).map(({ columns }) => columns.val);
    };
    expect(await Promise.all([0, 1, 2, 3].map((i) => told(MIDNIGHT + i * HOUR)))).toEqual([[0], [2], [2], [3]]);
    expect((await mirror.verify()).findings).toEqual([]);
  });

  test('in the middle of a run covers nothing', async () => {
    const { mirror } = await fresh();
    const run = walkOver('2026-09-01', '2026-10-31', 1);
    await mirror.commitPage(said('old', OLD.slice(0, 1), { walk: run }));
    const last = { walk: null, covered: { ...covered(2), checkedAt: MIDNIGHT } };
    expect(await mirror.commitPage(said('new', NEW.slice(1), last))).toMatchObject({ heldBack: true });
    const [now] = await mirror.find(INFLATION);
    expect(now && (await mirror.coveredRanges(now, 'key:1'))).toEqual([]);
  });

  test('is none where an answer does not say, or where it is a file', async () => {
    const { mirror } = await fresh();
    await mirror.commitPage(said('old', OLD));
    const silent = { text: asJsonText('{"unit":"%"}'), inputs: 'silent' };
    expect(await mirror.commitPage(said('', NEW, { envelope: silent }))).not.toHaveProperty('replaced');
    const file = { ...INFLATION, origin: 'import:bls' };
    await mirror.commitPage(said('one', OLD, { series: file }));
    expect(await mirror.commitPage(said('two', NEW, { series: file }))).not.toHaveProperty('replaced');
  });
}
