import { expect, test } from 'vitest';
import { asJsonText } from '../../../src/contract/json/json.ts';
import type { Mirror } from '../../../src/mirror/api/mirror.ts';
import type { SeriesKey } from '../../../src/mirror/api/series.ts';
import { rowsOfState } from '../../../src/mirror/rules/digest.ts';
import { EURUSD, type FreshMirror, held, MIDNIGHT, page, rate } from '../support.ts';

const [A, B, C] = [rate('2026-11-20', 1), rate('2026-11-19', 2), rate('2026-11-20', 3)];
const OTHER: SeriesKey = { ...EURUSD, scope: { base: 'EUR', quote: 'GBP' } };
const HOUR = 3_600_000;

const told = async (mirror: Mirror) => {
  const { state, chain } = await held(mirror);
  return { state, chain };
};

/** What the state of a series says: what is stored of it, whichever mirror it is and however it came there. */
export function stateOf(fresh: FreshMirror): void {
  test('is the same for the same rows, whatever came before, in whichever order and when', async () => {
    const [one, two] = [(await fresh()).mirror, (await fresh()).mirror];
    await one.commitPage(page([A, B]));
    await two.commitPage(page([A], { series: OTHER }));
    await two.commitPage(page([B], { at: MIDNIGHT + HOUR }));
    await two.commitPage(page([A], { at: MIDNIGHT + 2 * HOUR, access: 'keyless' }));
    const [first, second] = [await told(one), await told(two)];
    expect(second.state).toBe(first.state);
    expect(second.chain).not.toBe(first.chain);
  });

  test('is another one for every other value, and its history never comes back', async () => {
    const { mirror } = await fresh();
    const seen = [];
    for (const [hours, rows] of [
      [A, B],
      [C, B],
      [A, B],
      [C, B],
    ].entries()) {
      await mirror.commitPage(page(rows, { at: MIDNIGHT + hours * HOUR }));
      seen.push(await told(mirror));
    }
    const [first, second, third, last] = seen.map(({ state }) => state);
    expect([third, last, first === second]).toEqual([first, second, false]);
    expect(new Set(seen.map(({ chain }) => chain)).size).toBe(4);
  });

  test('stays where an answer brings nothing new, also one to a key', async () => {
    const { mirror } = await fresh();
    await mirror.commitPage(page([A, B], { access: 'keyless' }));
    const before = await told(mirror);
    await mirror.commitPage(page([A, B], { at: MIDNIGHT + HOUR, access: 'key:1', etag: '"2"' }));
    expect(await told(mirror)).toEqual(before);
  });

  test('tells members beside the rows from the rows', async () => {
    const { mirror } = await fresh();
    const envelope = (unit: string) => ({ text: asJsonText(JSON.stringify({ unit })), inputs: 'a question' });
    await mirror.commitPage(page([A], { envelope: envelope('%') }));
    const before = await told(mirror);
    await mirror.commitPage(page([A], { envelope: envelope('index'), at: MIDNIGHT + HOUR }));
    const after = await told(mirror);
    expect(after.state).not.toBe(before.state);
    expect([rowsOfState(after.state), after.chain]).toEqual([rowsOfState(before.state), before.chain]);
  });
}
