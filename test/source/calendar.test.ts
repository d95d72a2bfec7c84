import { expect, it } from 'vitest';
import type { JsonObject } from '../../src/contract/json/json.ts';
import { MINUTE, NOW, OWNER, question, world } from './world.ts';

const asked = (from: string, to: string) =>
  question('calendar', { currency: 'usd' }, { start_date: from, end_date: to });

function release(iso: string, more: JsonObject = {}): JsonObject {
  const at = Date.parse(iso) / 1000;
  return {
    calendar_event_id: `usd_inflation_${at}`,
    announcement_datetime: at,
    release: 'inflation',
    name: 'Inflation (CPI)',
    date: '2026-11-30',
    ...more,
  };
}

const BEFORE = release('2026-12-10T13:30:00Z');
const MOVED = release('2026-12-15T13:30:00Z');

it('shows a release at its new time alone, when only the days of the new time were asked about again', async () => {
  const { take, ask } = await world();
  await take(asked('2026-12-09', '2026-12-12'), { currency: 'USD', data: [BEFORE] });
  await take(asked('2026-12-13', '2026-12-16'), { currency: 'USD', data: [MOVED] }, { at: NOW + MINUTE });
  const shown = async (from: string, to: string) =>
    (await ask(asked(from, to), OWNER)).json.data.map((row: JsonObject) => row.calendar_event_id);
  expect(await shown('2026-12-01', '2026-12-31')).toEqual([MOVED.calendar_event_id]);
  expect(await shown('2026-12-09', '2026-12-12')).toEqual([]);
});

it('keeps two releases of one period that an answer lists side by side, and those of two stages', async () => {
  const { take, ask } = await world();
  const flash = release('2026-12-01T10:00:00Z', { release_stage: 'flash' });
  await take(asked('2026-12-01', '2026-12-31'), { currency: 'USD', data: [flash, BEFORE, MOVED] });
  await take(asked('2026-12-01', '2026-12-01'), { currency: 'USD', data: [{ ...flash, market_tier: 1 }] });
  const { json } = await ask(asked('2026-12-01', '2026-12-31'), OWNER);
  expect(json.data.map((row: JsonObject) => row.announcement_datetime)).toEqual(
    [flash, BEFORE, MOVED].map((row) => row.announcement_datetime),
  );
});
