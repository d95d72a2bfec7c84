import { expect, test } from 'vitest';
import type { Caller, Compose, HookContext, KeptValue, LoadedRow, LoadedSeries } from '../../../src/contract/hooks.ts';
import { asJsonText } from '../../../src/contract/json/json.ts';
import { type Coverage, coverageFrom } from '../../../src/contract/time/coverage.ts';
import { addDays, BEGINNING, dateToMs } from '../../../src/contract/time/time.ts';
import { composeLatest } from '../../../src/derive/announcements/latest.ts';
import { composeRecent } from '../../../src/derive/announcements/recent.ts';
import fc from '../../support/properties.ts';
import { LABELS } from '../../support/service.ts';

const TODAY = '2026-11-21';
const NOW = dateToMs(TODAY) / 1000 + 50_000;
const CALLERS: readonly Caller[] = [{ kind: 'keyed', plan: 'individual' }, { kind: 'keyless' }];

/** A history with gaps between its periods, odd releases, missing values and missing ranges in what is covered. */
const history = fc.record({
  gap: fc.constantFrom(1, 1, 3, 7, 14, 31, 91),
  rows: fc.integer({ min: 1, max: 700 }),
  /** Every so many periods the gap is another one. */
  oddEach: fc.integer({ min: 3, max: 40 }),
  oddGap: fc.integer({ min: 1, max: 40 }),
  unit: fc.constantFrom('%', 'index', undefined),
  lag: fc.constantFrom(-1, 0, 1, 40),
  withoutRelease: fc.integer({ min: 2, max: 30 }),
  /** Days of today's side that are covered; missing ranges lie behind them. */
  covered: fc.option(fc.integer({ min: 5, max: 900 }), { nil: undefined, freq: 1 }),
  knowsOlder: fc.boolean(),
});
type Drawn = typeof history extends fc.Arbitrary<infer T> ? T : never;

function rowsOf(drawn: Drawn): readonly LoadedRow[] {
  const rows: LoadedRow[] = [];
  let date = addDays(TODAY, -1);
  for (let i = 0; i < drawn.rows; i += 1) {
    const val = i % 11 === 3 ? null : ((i * 37) % 101) - 20;
    const isReleased = i % drawn.withoutRelease !== 1;
    const release = isReleased ? dateToMs(addDays(date, drawn.lag)) / 1000 + 49_000 + (i % 3) * 600 : null;
    const members = {
      date,
      val,
      ...(isReleased && { announcement_datetime: release }),
      ...(i % 5 === 0 && { change: 1 }),
    };
    rows.push({
      columns: { date, val, announcement_datetime: release, released: release },
      text: asJsonText(JSON.stringify(members)),
      seenAt: NOW * 1000,
    });
    date = addDays(date, -(i % drawn.oddEach === 2 ? drawn.oddGap : drawn.gap));
  }
  return rows;
}

function coverageOf({ covered, knowsOlder }: Drawn): Coverage {
  if (covered === undefined) return coverageFrom([{ from: BEGINNING, to: TODAY }], true);
  const from = addDays(TODAY, -covered);
  const older = { from: BEGINNING, to: addDays(from, -30) };
  return coverageFrom([...(knowsOlder ? [older] : []), { from, to: TODAY }], true);
}

function wholeSeries(drawn: Drawn, indicator: string, { kind }: Caller): LoadedSeries {
  const rows = rowsOf(drawn);
  const { unit } = drawn;
  return {
    ref: { endpoint: 'announcements', scope: { currency: 'USD', indicator }, origin: 'service' },
    envelope: unit === undefined ? {} : { unit },
    rows,
    coverage: coverageOf(drawn),
    proven: true,
    ...(kind === 'keyless' && { kept: new Map<string, readonly KeptValue[]>() }),
  };
}

const COLUMNS = ['date', 'val', 'announcement_datetime', 'released'];

/** As much of a series as a hook asks for: whoever loads it may have more rows of it than are asked for. */
function partOf(whole: LoadedSeries, wanted: ReturnType<NonNullable<Compose<unknown>['rowsNeeded']>>): LoadedSeries {
  if (!wanted || !('head' in wanted)) return whole;
  const { head, values } = wanted;
  const columns = Object.fromEntries(COLUMNS.map((name) => [name, whole.rows.map((row) => row.columns[name] ?? null)]));
  const rows = whole.rows.slice(0, head);
  return { ...whole, rows, ...(rows.length >= head && { isHead: true }), ...(values && { columns }) };
}

function loadedFor<A>(compose: Compose<A>, whole: readonly LoadedSeries[], context: HookContext<A>) {
  let loaded = whole.map((series) => partOf(series, compose.rowsNeeded?.(context.args, series.ref)));
  for (let round = 0; round < 9; round += 1) {
    const more = compose.moreNeeded?.(loaded, context);
    if (!more || more.size === 0) return loaded;
    loaded = loaded.map((series, i) => {
      const needed = more.get(series);
      return needed && whole[i] ? partOf(whole[i], needed) : series;
    });
  }
  throw new Error('The hook never has enough.');
}

const histories = fc.array(history, { minLength: 1, maxLength: 4 });
const places = fc.record({ limit: fc.integer({ min: 1, max: 60 }), offset: fc.integer({ min: 0, max: 400 }) });

test.each([
  ['latest', composeLatest],
  ['recent', composeRecent],
] as const)('%s says of the newest rows what it says of all, whatever they are like', (_, compose) => {
  const asked = compose as Compose<unknown>; // both take the currency and a place
  fc.assert(
    fc.property(histories, places, fc.constantFrom(...CALLERS), (drawn, place, caller) => {
      const whole = drawn.map((one, i) => wholeSeries(one, `indicator_${i}`, caller));
      const context = { args: { currency: 'USD', ...place }, now: NOW, caller, labels: LABELS };
      const expected = asked.build(whole, context);
      const built = asked.build(loadedFor(asked, whole, context), context);
      expect(built).toEqual(expected);
    }),
    { numRuns: 40 },
  );
});
