import { expect, it } from 'vitest';
import { addDays } from '../../../src/contract/time/time.ts';
import type { Mirror } from '../../../src/mirror/api/mirror.ts';
import fc from '../../support/properties.ts';
import { CALENDAR, held, page, rate } from '../support.ts';

/** Reading whole columns. `fresh` makes an empty mirror. */
export function columnsOf(fresh: () => Promise<Mirror>, runs: number): void {
  it('columns stand in the order of the rows, and hold what the rows do', async () => {
    const mirror = await fresh();
    const bar = '{"date":"2026-01-04","val":1.5,"high":1.6,"low":1.4,"close":1.5}';
    await mirror.commitPage(page([rate('2026-01-02', 1.25), bar, rate('2026-01-03', 'null')]));
    const series = await held(mirror);
    expect(await mirror.columns(series, {}, ['date', 'val', 'high', 'open'])).toEqual({
      date: ['2026-01-04', '2026-01-03', '2026-01-02'],
      val: [1.5, null, 1.25],
      high: [1.6, null, null],
      open: undefined,
    });
  });

  it('columns are those of the selected rows, and nothing when there are none', async () => {
    const mirror = await fresh();
    await mirror.commitPage(page([rate('2026-01-02', 1), rate('2026-01-03', 2), rate('2026-01-04', 3)]));
    const series = await held(mirror);
    const vals = (from: string, to: string) => mirror.columns(series, { from, to }, ['val']);
    expect(await vals('2026-01-03', '2026-01-04')).toEqual({ val: [3, 2] });
    expect(await vals('2027-01-03', '2027-01-04')).toEqual({ val: undefined });
  });

  it('columns are oldest first where the endpoint answers so', async () => {
    const mirror = await fresh();
    const release = (at: number) => `{"announcement_datetime":${at},"calendar_event_id":"e${at}"}`;
    await mirror.commitPage(page([release(30), release(10), release(20)], { series: CALENDAR }));
    const columns = await mirror.columns(await held(mirror, CALENDAR), {}, ['announcement_datetime']);
    expect(columns).toEqual({ announcement_datetime: [10, 20, 30] });
  });

  it('texts are those of the selected rows, in their order and as they were spelled', async () => {
    const mirror = await fresh();
    const [long, second] = ['{"date":"2026-01-03","val":1.2500000000000000001}', rate('2026-01-02', 2)];
    const spaced = '{ "val" : 3,\t"date":"2026-01-04", "note":"a\\u00e9 \\"é\\"" }';
    await mirror.commitPage(page([second, spaced, long]));
    const series = await held(mirror);
    expect(await mirror.texts(series, {})).toEqual([spaced, long, second]);
    expect(await mirror.texts(series, { from: '2026-01-03', to: '2026-01-03' })).toEqual([long]);
    expect(await mirror.texts(series, { where: { val: 2 } })).toEqual([second]);
    expect(await mirror.texts(series, { from: '2027-01-01' })).toEqual([]);
  });

  it('texts are oldest first where the endpoint answers so', async () => {
    const mirror = await fresh();
    const release = (at: number) => `{"announcement_datetime":${at},"calendar_event_id":"e${at}"}`;
    await mirror.commitPage(page([release(30), release(10), release(20)], { series: CALENDAR }));
    expect(await mirror.texts(await held(mirror, CALENDAR), {})).toEqual([release(10), release(20), release(30)]);
  });

  it('no column can be named that the mapping does not name', async () => {
    const mirror = await fresh();
    await mirror.commitPage(page([rate('2026-01-02', 1)]));
    await expect(mirror.columns(await held(mirror), {}, ['text'])).rejects.toThrow("forex has no column 'text'");
  });

  it('columns hold every number to its last bit', async () => {
    const mirror = await fresh();
    const numbers = fc.array(fc.double({ noNaN: true, noDefaultInfinity: true }), { minLength: 1, maxLength: 100 });
    await fc.assert(
      fc.asyncProperty(numbers, async (values) => {
        const rows = values.map((val, day) => `{"date":"${addDays('2026-01-01', day)}","val":${JSON.stringify(val)}}`);
        await mirror.commitPage(page(rows, { extent: 'replaces' }));
        const { val } = await mirror.columns(await held(mirror), {}, ['val']);
        expect(val).toEqual(values.map((value) => value + 0).toReversed());
      }),
      { numRuns: runs },
    );
  });
}
