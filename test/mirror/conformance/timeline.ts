import { expect, test } from 'vitest';
import { AVAILABILITIES } from '../../../src/contract/time/moments.ts';
import type { Mirror } from '../../../src/mirror/api/mirror.ts';
import type { RowPage, Selection, SeriesKey, StoredRow } from '../../../src/mirror/api/series.ts';
import { undoRequest } from '../../../src/mirror/rules/as-of/undone.ts';
import fc from '../../support/properties.ts';
import { EURUSD, type FreshMirror, held, INFLATION, MIDNIGHT, page, rate, row } from '../support.ts';

const SECOND = 1000;
const BEGIN = MIDNIGHT / SECOND - 100;
const DATES = ['2026-08-31', '2026-09-30', '2026-10-31'] as const;
const FILE: SeriesKey = { ...INFLATION, origin: 'import:bls' };
/** Series whose rows list no vintages. */
const RATES: SeriesKey = { ...EURUSD, origin: 'import:ecb' };

/** Seconds around those of the commits. */
const second = fc.integer({ min: BEGIN, max: BEGIN + 200 });
const val = fc.integer({ min: 1, max: 3 });

/** An entry of a row's list: with and without times, of those some below a millisecond, and with claims to them. */
const entry = fc.record(
  {
    val,
    epoch: second,
    observed_at_ns_string: fc
      .tuple(second, fc.constantFrom('000000000', '000000001', '500000000', '999999999'))
      .map(([whole, part]) => `${whole}${part}`),
    is_first_release: fc.boolean(),
    publication_time_status: fc.constantFrom('confirmed', 'estimated'),
  },
  { requiredKeys: ['val'] },
);

const rowOf = fc.record(
  {
    date: fc.constantFrom(...DATES),
    val,
    announcement_datetime: fc.option(second),
    collected_at: second,
    observed_at_ns_string: second.map((whole) => `${whole}250000001`),
    previous_value: val,
    revisions: fc.array(entry, { maxLength: 3 }),
  },
  { requiredKeys: ['date', 'val'] },
);

/** Answers, one after the other: parts of what there is, all of it, and those that take earlier ones back. */
const answer = fc.record({
  rows: fc.uniqueArray(rowOf, { maxLength: 3, selector: ({ date }) => date }),
  after: fc.integer({ min: 0, max: 40 }),
  isAll: fc.boolean(),
  isKeyed: fc.boolean(),
  undoes: fc.constantFrom(false, false, true),
});

type Answer = typeof answer extends fc.Arbitrary<infer A> ? A : never;

async function take(mirror: Mirror, series: SeriesKey, answers: readonly Answer[]): Promise<void> {
  let at = MIDNIGHT;
  const isFile = series.origin.startsWith('import:');
  for (const [i, { rows, after, isAll, isKeyed, undoes }] of answers.entries()) {
    at += after * SECOND;
    const sorted = rows
      .toSorted((a, b) => (a.date < b.date ? 1 : -1))
      .map((one) => {
        const release = series === RATES ? one.announcement_datetime : null;
        return row(JSON.stringify(one), typeof release === 'number' ? { assumedRelease: release } : {});
      });
    const request = undoRequest({ since: i, from: DATES[0], to: DATES[1] });
    await mirror.commitPage(
      page(sorted, {
        series,
        at,
        extent: isAll ? 'replaces' : 'adds',
        access: isKeyed && !isFile ? 'key:1' : 'keyless',
        ...(isFile && undoes && i > 0 && { request }),
      }),
    );
  }
}

/** Every moment that a row can have changed at, the milliseconds around it, and some far from all of them. */
function momentsOf(answers: readonly Answer[]): readonly number[] {
  const seconds = JSON.stringify(answers).match(/\d{10}/g) ?? [];
  const commits = answers.map((_, i) =>
    answers.slice(0, i + 1).reduce((at, { after }) => at + after * SECOND, MIDNIGHT),
  );
  const around = [...new Set([...seconds.map((one) => Number(one) * SECOND), ...commits])];
  const near = around.flatMap((one) => [one - 1, one, one + 1, one + 250, one + 251, one + 501]);
  return [...new Set([0, ...near, MIDNIGHT + 3_600_000])].sort((a, b) => a - b);
}

const SELECTIONS: readonly (readonly [Selection, RowPage | undefined])[] = [
  [{}, undefined],
  [{}, { limit: 1, offset: 0 }],
  [{}, { limit: 1, offset: 1, reverse: true }],
  [{ from: DATES[1] }, undefined],
  [
    { from: DATES[1], to: DATES[1] },
    { limit: 5, offset: 0 },
  ],
  [{ where: { val: 2 } }, undefined],
  [{ releasedBy: BEGIN + 100 }, { limit: 2, offset: 0, reverse: true }],
];

/** All that a row says, with what it works out when it is asked. */
const told = ({ key, columns, text, commit, seenAt, keyed, known }: StoredRow) => ({
  ...{ key, columns: { ...columns }, text, commit, seenAt, keyed },
  known: known && { ns: known.ns, text: known.text, byRelease: known.byRelease },
});

function inside({ from, to }: Selection, key: readonly unknown[]): boolean {
  const date = String(key[0]);
  return (from === undefined || date >= from) && (to === undefined || date <= to);
}

/** What a row says by itself. */
function alone(text: string): unknown {
  const { previous_value: _, ...own } = JSON.parse(text) as Record<string, unknown>; // a row is an object
  return own;
}

/** The rows of a series at any moment are those that are read of each moment by itself. */
export function timelineOf(fresh: FreshMirror, runs: number): void {
  test('a series whose rows list no vintages has none', async () => {
    const { mirror } = await fresh();
    await mirror.commitPage(page([rate('2026-11-20', 1)]));
    expect(await mirror.timeline(await held(mirror, EURUSD))).toBeUndefined();
  });

  test('a series changes with its commits, and with the releases of its rows', async () => {
    const { mirror } = await fresh();
    const changes = async (series: SeriesKey) => {
      const { commits, all } = await mirror.changes(await held(mirror, series));
      return { commits: [...commits], all: [...all] };
    };
    const hour = 3600;
    const [first, second, third] = [MIDNIGHT, MIDNIGHT + 60_000, MIDNIGHT + 120_000];
    const released = (date: string, val: number, assumedRelease: number) => row(rate(date, val), { assumedRelease });
    const ofFile = { series: { ...EURUSD, origin: 'import:ecb' }, access: 'key:import' } as const;
    const early = MIDNIGHT / SECOND - hour;
    const late = MIDNIGHT / SECOND + hour;
    await mirror.commitPage(page([released('2026-11-20', 1, early), rate('2026-11-19', 1)], { ...ofFile, at: first }));
    await mirror.commitPage(page([released('2026-11-20', 2, late)], { ...ofFile, at: second }));
    // What takes a row away brings none.
    await mirror.commitPage(page([released('2026-11-20', 2, late)], { ...ofFile, at: third, extent: 'replaces' }));
    expect(await changes(EURUSD)).toEqual({
      commits: [first, second, third],
      all: [early * SECOND, first, second, third, late * SECOND],
    });
    const listed = `{"date":"2026-10-31","val":3,"revisions":[{"epoch":${early},"val":2},{"epoch":${late},"val":3}]}`;
    await mirror.commitPage(page([listed], { series: INFLATION, at: third }));
    expect(await changes(INFLATION)).toEqual({ commits: [third], all: [early * SECOND, third, late * SECOND] });
  });

  test.each([
    ['a service', INFLATION],
    ['files', FILE],
  ] as const)(
    'the rows of %s are those that each moment is read with',
    async (_, series) => {
      await fc.assert(
        fc.asyncProperty(fc.array(answer, { minLength: 1, maxLength: 6 }), async (answers) => {
          const { mirror } = await fresh();
          await take(mirror, series, answers);
          const [stored] = await mirror.find(series);
          if (!stored) return;
          const timeline = await mirror.timeline(stored);
          const moments = momentsOf(answers);
          // From both ends, so that no state is worked out in the order of time alone.
          for (const at of [...moments.filter((_one, i) => i % 9 === 0).toReversed(), ...moments])
            for (const by of AVAILABILITIES) {
              const asOf = { at, by };
              const [selection, limits] = SELECTIONS[(at + by.length) % SELECTIONS.length] ?? [{}, undefined];
              const entries = timeline?.entries ?? [];
              const places = entries.flatMap(({ key }, i) => (inside(selection, key) ? [i] : []));
              const range = { start: places[0] ?? 0, end: (places.at(-1) ?? -1) + 1 };
              const rows = timeline?.rows({ ...selection, asOf }, range, limits).map(told);
              const read = await mirror.rows(stored, { ...selection, asOf }, limits);
              expect([asOf, selection, rows]).toEqual([asOf, selection, read.map(told)]);
            }
        }),
        { numRuns: Math.ceil(runs / 4) },
      );
    },
    240_000,
  );

  test.each([
    ['a service', INFLATION],
    ['files', FILE],
    ['a service without vintages', EURUSD],
    ['files without vintages', RATES],
  ] as const)(
    'the texts of %s, each from its moment to the next, are those that each moment is read with',
    async (_, series) => {
      await fc.assert(
        fc.asyncProperty(fc.array(answer, { minLength: 1, maxLength: 6 }), async (answers) => {
          const { mirror } = await fresh();
          // An import that was taken back leaves none of its texts: see the tests of what was never public.
          await take(mirror, series, series === RATES ? answers.map((one) => ({ ...one, undoes: false })) : answers);
          const [stored] = await mirror.find(series);
          if (!stored) return;
          const known = await mirror.knownTexts(stored, { after: 0 });
          const newest = known.toSorted((a, b) => (String(a.key[0]) < String(b.key[0]) ? 1 : -1));
          const current = newest.flatMap(({ texts }) =>
            texts.flatMap((one) => (one.isCurrent ? (one.text ?? []) : [])),
          );
          expect(current.map(alone)).toEqual((await mirror.texts(stored, {})).map(alone));
          for (const at of momentsOf(answers))
            for (const by of ['public', 'captured'] as const) {
              const told = newest.flatMap(({ texts }) => {
                const from = (one: (typeof texts)[number]) => (by === 'public' ? one.knownFrom : one.capturedFrom);
                const moments = texts.filter((one) => from(one) !== undefined);
                moments.sort((a, b) => Number(from(a)) - Number(from(b)));
                return moments.findLast((one) => Number(from(one)) <= at)?.text ?? [];
              });
              const read = await mirror.texts(stored, { asOf: { at, by } });
              expect([at, by, told.map(alone)]).toEqual([at, by, read.map(alone)]);
            }
        }),
        { numRuns: Math.ceil(runs / 4) },
      );
    },
    240_000,
  );
}
