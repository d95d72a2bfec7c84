import { describe, expect, it } from 'vitest';
import { testPlatform } from '../support/platform.ts';
import { macro } from '../support/run.ts';

const pagination = { limit: 100, offset: 0, returned_count: 0, total_count: 0, has_more: false };
const HISTORY = { currency: 'USD', indicator: 'inflation', pagination, data: [] };
const CHANGES = { data: [], count: 0, next_cursor: 'c1.x', has_more: false };

/** What is said beside an answer of the service. */
async function said(words: string, body: object, env: Record<string, string> = {}) {
  const at = testPlatform({
    fetch: async () => Response.json(body),
    env: { MACRO_BASE_URL: 'https://svc.example', ...env },
  });
  const { code, err } = await macro(words, at);
  return [code, err];
}

describe('an answer without a key', () => {
  it('tells before which date it knows nothing, an empty one too', async () => {
    const window = { freemium_window: { applied: true, max_days: 90, cutoff_date: '2026-08-23' } };
    expect(await said('announcements usd inflation --start -5y --all', { ...HISTORY, ...window })).toEqual([
      0,
      'note: Without a key nothing before 2026-08-23 is in this answer.\n',
    ]);
  });

  it('tells how many releases the delay keeps back, and until when', async () => {
    const delay = (withheld_count: number, next_available_at: number | null) => ({
      freemium_delay: { applied: true, delay_seconds: 900, withheld_count, next_available_at },
    });
    expect(await said('announcements usd inflation', { ...HISTORY, ...delay(1, 1_795_238_100) })).toEqual([
      0,
      'note: Without a key 1 release is withheld, the next one until 2026-11-21T05:15:00Z.\n',
    ]);
    expect(await said('announcements usd inflation', { ...HISTORY, ...delay(2, null) })).toEqual([
      0,
      'note: Without a key 2 releases are withheld.\n',
    ]);
    expect(await said('announcements usd inflation', { ...HISTORY, ...delay(0, null) })).toEqual([0, '']);
  });

  it('tells which currencies are left of those that were asked for', async () => {
    const usd = { scope: { currencies: ['usd'], indicators: null } };
    const note = 'note: Without a key only USD is in this answer.\n';
    const day = 'note: These are the changes of the last 24 hours; another beginning has --since, as in: --since -7d\n';
    const unkept =
      'note: This answer is not stored, because the mirror stores the question without --currencies: macro announcements changes.\n';
    expect(await said('announcements changes --currencies usd,eur', { ...CHANGES, ...usd })).toEqual([
      0,
      day + unkept + note,
    ]);
    expect(await said('announcements changes', { ...CHANGES, ...usd })).toEqual([0, day + note]);
    expect(await said('announcements changes --currencies usd', { ...CHANGES, ...usd })).toEqual([0, day + unkept]);
    const all = { scope: { currencies: null, indicators: null } };
    expect(await said('announcements changes', { ...CHANGES, ...all }, { MACRO_API_KEY: 'k' })).toEqual([0, day]);
  });
});
