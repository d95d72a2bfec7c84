import { expect, test } from 'vitest';
import { createMemoryBudget } from '../../src/contract/memory-budget.ts';
import { createMirrorSource } from '../../src/source/mirror.ts';
import { LABELS } from '../support/service.ts';
import { KEYED, NOW, question, whole, world } from './world.ts';

const INFLATION = { currency: 'USD', indicator: 'inflation' };
const RELEASED = Date.parse('2026-11-12T13:30:00Z') / 1000;

const print = (date: string, val: number, days: number) => ({
  date,
  val,
  announcement_datetime: RELEASED - days * 86_400,
  announcement_datetime_precision: 'exact',
});

test('a history is worked out once for all moments between two of its changes', async () => {
  const made = await world();
  const data = [print('2026-10-01', 3.1, 0), print('2026-09-01', 3, 30)];
  const body = { ...INFLATION, unit: '%', frequency: 'Monthly', data, pagination: whole(data.length) };
  await made.take(question('announcements', INFLATION), body, { isAll: true });
  const source = createMirrorSource({ mirror: made.mirror, labels: LABELS, memory: createMemoryBudget() });
  const ask = async (as_of: string) => {
    const asked = question('announcements', INFLATION, { start_date: '2026-01-01', as_of });
    let derived = 0;
    const derive: typeof asked.endpoint.derive = async (view) => {
      derived += 1;
      return (await asked.endpoint.derive?.(view)) ?? {};
    };
    const endpoint = { ...asked.endpoint, derive };
    const { body: text } = await source.ask({ ...asked, endpoint }, { caller: KEYED, now: NOW });
    return { derived, rows: JSON.parse(text).data.length };
  };
  const before = ['2026-11-12T13:29:00Z', '2026-11-12T13:29:59Z', '2026-11-01T00:00:00Z'];
  const since = ['2026-11-12T13:30:00Z', '2026-11-12T13:30:01Z', '2026-11-20T00:00:00Z'];
  const answers = [];
  // What changed when is read with the second question of the past.
  for (const moment of ['2026-11-12T13:28:00Z', ...before, ...since]) answers.push(await ask(moment));
  expect(answers).toEqual([
    { derived: 1, rows: 1 },
    { derived: 1, rows: 1 },
    { derived: 0, rows: 1 },
    { derived: 0, rows: 1 },
    { derived: 1, rows: 2 },
    { derived: 0, rows: 2 },
    { derived: 0, rows: 2 },
  ]);
});
