import { expect, it } from 'vitest';
import type { Mirror } from '../../../src/mirror/api/mirror.ts';
import type { PageCommit } from '../../../src/mirror/api/page-commit.ts';
import fc from '../../support/properties.ts';
import { CALENDAR, EURUSD, INFLATION, MIDNIGHT, page, rate } from '../support.ts';

const DAYS = Array.from({ length: 6 }, (_, i) => `2026-01-0${i + 1}`);
const VALUES = ['1', '1.0', '2', '3'];

/** An answer about some days: spellings of one value, so that rows are the same, refreshed, revised, gone and back. */
const answer: fc.Arbitrary<PageCommit> = fc
  .record({
    days: fc.uniqueArray(fc.constantFrom(...DAYS), { maxLength: 6 }),
    values: fc.array(fc.constantFrom(...VALUES), { minLength: 6, maxLength: 6 }),
    extent: fc.constantFrom('replaces' as const, 'listed' as const, 'adds' as const),
    keyed: fc.boolean(),
    vintages: fc.boolean(),
    proven: fc.boolean(),
  })
  .map(({ days, values, extent, keyed, vintages, proven }) => {
    const texts = days
      .sort()
      .map((day, i) => (vintages ? printed(day, values[i] ?? '1') : rate(day, values[i] ?? '1')));
    return page(texts, {
      series: vintages ? INFLATION : EURUSD,
      access: keyed ? 'key:1' : 'keyless',
      extent,
      ...(proven && { covered: { from: '2026-01-01', to: '2026-01-06', rows: texts.length } }),
    });
  });

const printed = (day: string, value: string) =>
  `{"date":"${day}","val":${value},"change":${value},"revisions":[{"epoch":1767225600,"val":1},{"epoch":1767312000,"val":${value}}]}`;

/** What a check says of mirrors that nobody altered; for a mirror of any engine. */
export function verifyOf(open: () => Promise<Mirror>, runs: number): void {
  it('an empty mirror holds', async () => {
    const mirror = await open();
    expect(await mirror.verify()).toMatchObject({ series: 0, rows: 0, findings: [] });
  });

  it('whatever answers came, what is held is what was kept', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(answer, { minLength: 1, maxLength: 10 }), async (answers) => {
        const mirror = await open();
        for (const [i, one] of answers.entries()) await mirror.commitPage({ ...one, at: MIDNIGHT + i });
        const { findings } = await mirror.verify();
        expect(findings).toEqual([]);
        for (const { endpoint } of [EURUSD, INFLATION])
          for (const series of await mirror.find({ endpoint, scope: {} }))
            expect(await mirror.count(series, {})).toBe((await mirror.rows(series, {})).length);
      }),
      { numRuns: runs },
    );
  }, 60_000);

  it('the hash is that of the content, however and whenever it was collected', async () => {
    const [one, other, less] = [await open(), await open(), await open()];
    const [a, b, c] = ['2026-01-03', '2026-01-02', '2026-01-01'].map((day) => rate(day, 1));
    await one.commitPage(page([a ?? '', b ?? '', c ?? '']));
    await other.commitPage(page([c ?? ''], { at: MIDNIGHT + 1 }));
    await other.commitPage(page([b ?? ''], { series: CALENDAR, rows: [] }));
    await other.commitPage(page([b ?? '', a ?? ''], { access: 'keyless', at: MIDNIGHT + 2 }));
    await less.commitPage(page([a ?? '', b ?? '']));
    const hashOf = async (mirror: Mirror) =>
      (await mirror.verify({ only: ({ endpoint }) => endpoint === 'forex' })).hash;
    expect(await hashOf(other)).toBe(await hashOf(one));
    expect(await hashOf(less)).not.toBe(await hashOf(one));
  });

  it('only the asked series are checked', async () => {
    const mirror = await open();
    await mirror.commitPage(page([rate('2026-01-01', 1)]));
    await mirror.commitPage(page([rate('2026-01-01', 1)], { series: INFLATION }));
    const seen: [number, number][] = [];
    const only = ({ endpoint }: { endpoint: string }) => endpoint === 'forex';
    const checked = await mirror.verify({ only, onSeries: (done, of) => void seen.push([done, of]) });
    expect([checked.series, checked.rows, seen]).toEqual([1, 1, [[0, 1]]]);
  });

  it('a stretch between proven windows is noted', async () => {
    const mirror = await open();
    const proven = (from: string, to: string) => mirror.commitPage(page([], { covered: { from, to, rows: 0 } }));
    await proven('2025-01-01', '2025-12-31');
    await proven('2026-02-01', '2026-03-31');
    expect((await mirror.verify()).findings).toEqual([
      {
        series: expect.objectContaining(EURUSD),
        level: 'note',
        what: 'unproven',
        detail: 'nothing is covered between 2025-12-31 and 2026-02-01',
      },
    ]);
  });

  it('an end that is wished for comes', async () => {
    const mirror = await open();
    await mirror.commitPage(page([rate('2026-01-01', 1)]));
    await expect(mirror.verify({ signal: AbortSignal.abort(new Error('enough')) })).rejects.toThrow('enough');
  });
}
