import { expect, it } from 'vitest';
import type { FaultRule } from '../../../src/serve/faults/fault.ts';
import { askRaw, spoiled } from './support.ts';

const RULES: readonly FaultRule[] = [
  { fault: 'error', status: 503, share: 0.1 },
  { fault: 'limit', window: 'minute', retry_after: 3, share: 0.1 },
  { fault: 'reset', bytes: 100, share: 0.1 },
  { fault: 'truncated-gzip', share: 0.2 },
  { fault: 'wrong-length', by: 5, share: 0.1 },
  { fault: 'page', as: 'shifted', share: 0.2, path: '/v1/announcements/*' },
  { fault: 'clock-skew', seconds: 90, share: 0.2 },
];

async function transcript(seed: number): Promise<readonly string[]> {
  const server = await spoiled(RULES, { seed });
  const all: string[] = [];
  for (let i = 0; i < 60; i += 1) {
    const path = ['/v1/ping', `/v1/announcements/usd/inflation?limit=2&offset=${i}`, '/v1/forex/EUR/USD'][i % 3] ?? '';
    const { bytes } = await askRaw(server, path, i % 2 === 0 ? { 'Accept-Encoding': 'gzip' } : {});
    all.push(bytes.toString('latin1'));
  }
  return all;
}

it('the same faults, seed, clock and requests give the same bytes, and another seed gives others', async () => {
  const first = await transcript(1);
  expect(await transcript(1)).toEqual(first);
  expect(await transcript(2)).not.toEqual(first);
});
