import { expect, it } from 'vitest';
import { asJsonText } from '../../../src/contract/json/json.ts';
import { held, INFLATION, page, type TestMirror, texts } from '../support.ts';

const ROW =
  '{"date":"2026-01-31","val":9.90,"val":1.10,"revisions":[{"epoch":1767225600,"val":9.9,"val":1.1,"val":1.10}],"note":"a\\":b"}';

/** A member that stands twice is read in one way, whoever reads. */
export function singleMembersOf(open: () => Promise<TestMirror>): void {
  it('of a member that stands twice the last value is kept, in the text, the column, the vintages and the views', async () => {
    const { mirror, sql } = await open();
    const envelope = { text: asJsonText('{"source":{"name":"A","name":"B"}}'), inputs: 'all' };
    await mirror.commitPage(page([ROW], { series: INFLATION, envelope }));
    expect(await texts(mirror, INFLATION)).toEqual([
      '{"date":"2026-01-31","val":1.10,"revisions":[{"epoch":1767225600,"val":1.10}],"note":"a\\":b"}',
    ]);
    const series = await held(mirror, INFLATION);
    const [row] = await mirror.rows(series, {});
    expect([row?.columns.val, series.envelope?.text]).toEqual([1.1, '{"source":{"name":"B"}}']);
    expect((await mirror.vintages(series, [])).map(({ text }) => text)).toEqual(['{"epoch":1767225600,"val":1.10}']);
    expect(await sql('select val, val_text, publisher from v_announcements')).toEqual([
      { val: 1.1, val_text: '1.10', publisher: 'B' },
    ]);
    expect((await mirror.verify()).findings).toEqual([]);
  });
}
