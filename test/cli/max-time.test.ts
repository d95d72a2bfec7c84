import { describe, expect, it } from 'vitest';
import type { Fetch } from '../../src/platform/platform.ts';
import { testPlatform } from '../support/platform.ts';
import { macro } from '../support/run.ts';

const BASE = '--base-url https://svc.example';

/** A service that never answers. */
function hanging() {
  let asked = 0;
  const fetch: Fetch = (_, { signal }) => {
    asked += 1;
    return new Promise((_resolve, reject) => signal?.addEventListener('abort', () => reject(signal.reason)));
  };
  const world = testPlatform({ fetch, sleeping: 'waits', env: { MACRO_API_KEY: 'k' } });
  /** Runs a line until it has asked, and then lets the time pass. */
  const run = async (line: string, ms: number) => {
    const running = macro(line, world);
    while (asked === 0) await world.clock.advance(0);
    await world.clock.advance(ms - 1);
    const early = await Promise.race([running.then(() => 'ended'), world.clock.turnEnd().then(() => 'running')]);
    await world.clock.advance(1);
    return { early, ...(await running) };
  };
  return { run };
}

describe('--max-time', () => {
  it.each(['ping', 'fx eur usd', 'fx eur usd --all', 'api /v1/ping', 'sync fx eur usd --quiet'])(
    'ends %s when it is over, with exit 6',
    async (line) => {
      const { early, code, out, err } = await hanging().run(`${line} --max-time 20s ${BASE}`, 20_000);
      // A sync reports what it did all the same.
      const rows = line.startsWith('sync') ? '' : out;
      expect({ early, code, rows, first: err.split('\n').find((text) => text.startsWith('macro: ')) }).toEqual({
        early: 'running',
        code: 6,
        rows: '',
        first: 'macro: The command was not done within 20s (--max-time).',
      });
    },
  );

  it('is a timeout for a program', async () => {
    const { err } = await hanging().run(`ping --format json --max-time 2m ${BASE}`, 120_000);
    expect(JSON.parse(err)).toMatchObject({ kind: 'upstream', code: 'timeout', status: null });
  });

  it.each(['soon', '0', '-1'])('%s is exit 2, whoever answers', async (time) => {
    expect(await macro(`sessions --offline --max-time ${time}`)).toMatchObject({ code: 2, out: '' });
  });
});
