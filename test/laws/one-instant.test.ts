import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../src/contract/json/json.ts';
import { KEYED, KEYLESS, question, whole, world } from '../source/world.ts';
import fc, { draws } from '../support/properties.ts';
import { type Entry, firstStep, known, lists, publicEntries, rowOf, SEEN, second } from './one-instant.ts';

const OF = { currency: 'USD', indicator: 'inflation' };
const WINDOW = { start_date: '2026-09-01', end_date: '2026-12-01' };
const LATER = second(SEEN + 20) * 1000;

type World = Awaited<ReturnType<typeof world>>;
type Row = JsonObject & { readonly revisions?: readonly { readonly val: number }[] };

/** Everything asked of a list at some steps. */
async function answers({ ask, take }: World, entries: readonly Entry[], steps: readonly number[]) {
  const history = (query: Record<string, string> = {}) => question('announcements', OF, { ...WINDOW, ...query });
  const asked = history();
  const body = { ...OF, unit: '%', pagination: whole(1), data: [rowOf(entries)] };
  for (const step of [SEEN, SEEN + 1]) await take(asked, body as JsonObject, { at: second(step) * 1000, isAll: true });
  const rows = async (query: Record<string, string>): Promise<readonly Row[]> => {
    try {
      return (await ask(history(query), KEYED, LATER)).json.data;
    } catch {
      return [];
    }
  };
  const shown = ([row]: readonly Row[]) => row && [row.val, row.reason];
  const asOf = async (step: number) => shown(await rows({ as_of: String(second(step)) }));
  const panel = question(
    'research_panel',
    {},
    {
      series: 'usd:inflation',
      // Known strictly before the decision.
      decision_times: steps.map((step) => String(second(step) + 1)).join(','),
      ...WINDOW,
    },
  );
  const decisions: readonly { values: [JsonObject] }[] = (await ask(panel, KEYED, LATER)).json.data;
  return {
    asOf,
    first: shown(await rows({ revisions: 'first' })),
    all: await Promise.all(steps.map(asOf)),
    panel: decisions.map(({ values: [{ val, reason }] }) => (reason === 'not_known_yet' ? undefined : [val, reason])),
    keyless: await Promise.all(
      steps.map(async (step) => (await ask(asked, KEYLESS, (second(step) + 900) * 1000)).json.data[0] as Row),
    ),
  };
}

const told = (val: number | null | undefined) =>
  val === undefined ? undefined : [val, val === null ? 'ambiguous' : undefined];

describe('vintages that claim one instant', () => {
  test('are told alike by as_of, the panel, the first release and the keyless delay, and as the rule says', async () => {
    const steps = [0, 1, 2, 3, 4, 5, 6, 7, SEEN, SEEN + 1];
    await fc.assert(
      fc.asyncProperty(lists, async (entries) => {
        const found = await answers(await world(), entries, steps);
        const before = steps.filter((step) => step < SEEN);
        expect(found.panel).toEqual(found.all);
        expect(found.all.slice(0, before.length)).toEqual(before.map((step) => told(known(entries, step))));
        const first = firstStep(entries);
        expect(found.first).toEqual(first < SEEN ? told(known(entries, first)) : await found.asOf(first));
        for (const step of before) {
          const row = found.keyless[step];
          const left = publicEntries(entries, step);
          // The row is released: where none of its values has a time by then, it shows what it had first.
          if (known(entries, step) === undefined) continue;
          expect(row?.revisions?.map(({ val }) => val) ?? []).toEqual(left);
          const isWhole = left.length === entries.length;
          expect([row?.val, row?.reason]).toEqual(
            isWhole ? [entries.at(-1)?.val, undefined] : told(known(entries, step)),
          );
        }
      }),
      { numRuns: draws(20) },
    );
  }, 120_000);
});
