import { expect, it } from 'vitest';
import type { StoredSeries } from '../../src/mirror/api/mirror.ts';
import { lastLookAt } from '../../src/source/coverage/last-look.ts';

/** Until when a file with a last date is known to lack nothing, read at the end of the year. */
async function knownUntil(origin: string, last: string, endpoint = 'forex') {
  const series = { origin, endpoint, scope: {}, checkedAt: Date.parse('2026-12-31T00:00:00Z') } as StoredSeries; // no more is read
  const proof = { from: '2026-01-01', to: last, rows: 1, provenAt: 0 };
  const at = await lastLookAt(series, async (_, access) => (access === 'keyless' ? [proof] : []));
  return new Date(at).toISOString();
}

it.each([
  // A Friday: Monday at 16:00 in Frankfurt, 16:30 in Toronto, and the Tuesday after Monday's week in New York.
  ['import:ECB', '2026-11-20', '2026-11-23T15:00:00.000Z'],
  ['import:BoC', '2026-11-20', '2026-11-23T21:30:00.000Z'],
  ['import:FRB', '2026-11-20', '2026-12-01T21:15:00.000Z'],
  // A Wednesday: the next day at 12:15 in Warsaw.
  ['import:NBP', '2026-11-18', '2026-11-19T11:15:00.000Z'],
])('a file of %s that ends on %s lacks nothing before %s', async (origin, last, until) => {
  expect(await knownUntil(origin, last)).toBe(until);
});

it('a file whose publisher states no days lacks nothing before its last day is over', async () => {
  expect(await knownUntil('import:Somebody', '2026-11-20')).toBe('2026-11-21T00:00:00.000Z');
  expect(await knownUntil('import:ECB', '2026-11-20', 'announcements')).toBe('2026-11-21T00:00:00.000Z');
});
