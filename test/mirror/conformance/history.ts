import { expect, test } from 'vitest';
import type { PageCommit } from '../../../src/mirror/api/page-commit.ts';
import fc from '../../support/properties.ts';
import { type FreshMirror, held, page, rate } from '../support.ts';

/** Any answers one after the other: what is held, and what was. */
export function historyOf(fresh: FreshMirror, runs: number): void {
  type State = Readonly<Record<string, number>>;

  const DAYS = Array.from({ length: 9 }, (_, i) => `2026-01-0${i + 1}`);

  /** What the service holds at a moment: some days, each with a value from a small set so that values return. */
  const serviceState = fc.dictionary(fc.constantFrom(...DAYS), fc.integer({ min: 0, max: 3 }), {
    noNullPrototype: true,
  });

  interface Step {
    readonly state: State;
    readonly kind: 'replaces' | 'window' | 'listed' | 'adds';
    readonly from: string;
    readonly to: string;
  }

  const step: fc.Arbitrary<Step> = fc
    .record({
      state: serviceState,
      kind: fc.constantFrom('replaces', 'window', 'listed', 'adds'),
      bounds: fc.tuple(fc.constantFrom(...DAYS), fc.constantFrom(...DAYS)),
    })
    .map(({ state, kind, bounds: [a, b] }) => ({ state, kind, from: a < b ? a : b, to: a < b ? b : a }));

  /** The answer to a step's question: the rows of the service inside the asked bounds, newest first. */
  function answerOf({ state, kind, from, to }: Step): PageCommit {
    const days = Object.keys(state)
      .filter((day) => kind === 'replaces' || (day >= from && day <= to))
      .sort()
      .reverse();
    const rows = days.map((day) => rate(day, state[day] ?? 0));
    return page(rows, {
      extent: kind === 'window' ? 'replaces' : kind,
      ...(kind === 'window' && { window: { from, to } }),
    });
  }

  /** What a mirror must hold after an answer, told in terms of days alone. */
  function after(before: State, one: Step): State {
    const commit = answerOf(one);
    const answered = Object.fromEntries(commit.rows.map(({ value }) => [String(value.date), Number(value.val)]));
    const days = Object.keys(answered).sort();
    const [first = '', last = ''] = [days.at(0), days.at(-1)];
    const spoken = (day: string) => {
      if (one.kind === 'replaces') return true;
      if (one.kind === 'window') return day >= one.from && day <= one.to;
      return one.kind === 'listed' && day > first && day < last;
    };
    return { ...Object.fromEntries(Object.entries(before).filter(([day]) => !spoken(day))), ...answered };
  }

  const byDay = (rows: readonly unknown[]): State =>
    Object.fromEntries((rows as readonly { date: string; val: number }[]).map(({ date, val }) => [date, val]));

  test('whatever answers come, the rows are those of the last state, and the superseded ones replay every state before', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 12 }), async (steps) => {
        const { mirror, sql } = await fresh();
        let state: State = {};
        const states = new Map<number, State>();
        for (const one of steps) {
          const { commit, added, revised, vanished, unchanged } = await mirror.commitPage(answerOf(one));
          const next = after(state, one);
          const days = Object.keys(next);
          const counted = {
            added: days.filter((day) => !(day in state)).length,
            revised: days.filter((day) => day in state && state[day] !== next[day]).length,
            vanished: Object.keys(state).filter((day) => !(day in next)).length,
          };
          expect({ added, revised, vanished }).toEqual(counted);
          expect(added + revised + unchanged).toBe(answerOf(one).rows.length);
          state = next;
          states.set(commit, state);
        }
        const rows = await mirror.rows(await held(mirror), {});
        expect(byDay(rows.map((one) => one.columns))).toEqual(state);
        const replay = (commit: number) =>
          sql(`select date, val from fx_daily where seen <= ${commit}
          union all select date, val from fx_daily_superseded where seen <= ${commit} and superseded > ${commit}`);
        for (const [commit, expected] of states) {
          const then = await replay(commit);
          expect(byDay(then)).toEqual(expected);
          expect(then).toHaveLength(Object.keys(expected).length);
        }
        mirror.close();
      }),
      { numRuns: runs },
    );
  }, 60_000);
}
