import { describe, expect, it } from 'vitest';
import { OWNER, question, whole, world } from './world.ts';

const inflation = (query: Record<string, string>) =>
  question('announcements', { currency: 'eur', indicator: 'inflation' }, query);
const answer = (data: readonly object[]) => ({
  currency: 'EUR',
  indicator: 'inflation',
  unit: '%YoY',
  pagination: whole(data.length),
  data: [...data],
});
const PRINT = { date: '2026-10-31', val: 2.1, announcement_datetime: 1_793_700_000, revisions: [] };

describe('an empty window of an indicator', () => {
  const later = { start_date: '2026-11-19', end_date: '2026-11-20' };

  it('is partial where the row that it would show instead may not be held', async () => {
    const held = await world();
    const outside = { ...PRINT, outside_requested_window: true, returned_reason: 'latest_before_window' };
    await held.take(inflation({ start_date: '2026-11-01', end_date: '2026-11-21' }), answer([outside]) as never);
    const { json } = await held.ask(inflation(later), OWNER);
    expect([json.data, json.mirror?.complete, json.mirror?.missing.at(-1)?.to]).toEqual([[], false, '2026-10-31']);
  });

  it('shows the newest row before it where all of the past is held', async () => {
    const held = await world();
    await held.take(inflation({}), answer([PRINT]) as never, { isAll: true });
    const { json } = await held.ask(inflation(later), OWNER);
    expect([json.mirror, json.data.map(({ date }: { date: string }) => date), json.pagination.total_count]).toEqual([
      undefined,
      ['2026-10-31'],
      1,
    ]);
  });

  it('is empty and whole where there is no row at all', async () => {
    const held = await world();
    await held.take(inflation({}), answer([]) as never, { isAll: true });
    const { json } = await held.ask(inflation(later), OWNER);
    expect([json.mirror, json.data, json.pagination.total_count]).toEqual([undefined, [], 0]);
  });
});
