import { describe, expect, it } from 'vitest';
import { testPlatform } from '../support/platform.ts';
import { SERVICE_URL, sandboxMirror, serviceOver } from '../support/service.ts';

async function settled(path: string) {
  const { platform } = testPlatform();
  const { fetch } = await serviceOver(await sandboxMirror(platform), platform);
  const answer = await fetch(`${SERVICE_URL}/v1/settlement/${path}`, { headers: { 'x-api-key': 'k' } });
  return JSON.parse(await answer.text());
}

describe('a settlement record of the sandbox', () => {
  it('brackets the publication of what markets wait for by seconds, and measures its latency from the later one', async () => {
    const { release_timing: timing } = await settled('usd/inflation?period=2026-10-31');
    expect(timing).toEqual({
      scheduled_at: '2026-11-16T13:30:00Z',
      published_after: '2026-11-16T13:29:59Z',
      published_by: '2026-11-16T13:30:01Z',
      ingested_at: '2026-11-16T13:30:04Z',
      latency_ms: 3000,
      latency_status: 'measured',
    });
  });

  it('does not measure the latency of the rest', async () => {
    const { release_timing: timing } = await settled('usd/foreign_reserves');
    expect([timing.latency_ms, timing.latency_status]).toEqual([null, 'not_measured']);
  });

  it('names the range of a policy rate that is one, a quarter of a point wide', async () => {
    const { first_print: print, outcome } = await settled('contracts/usd_policy_rate_decision');
    expect(outcome.target_range).toEqual({ lower: print.val - 0.25, upper: print.val });
    const { outcome: single } = await settled('contracts/eur_policy_rate_decision');
    expect([Object.hasOwn(single, 'decision'), Object.hasOwn(single, 'target_range')]).toEqual([true, false]);
  });
});
