import { expect, test } from 'vitest';
import { createClient } from '../../src/client/create.ts';
import { testPlatform } from '../support/platform.ts';
import { BASE, collect, endpoint, failure, SENTIMENT, WINDOW } from './support.ts';

const PING = { endpoint: endpoint('ping'), args: {} };

interface Scripted {
  /** Milliseconds that the answer takes. */
  readonly takes: number;
  readonly status?: number;
  readonly headers?: Record<string, string>;
  readonly body?: unknown;
}

/** A service whose answers take their time, and the deadline that each request had. */
function slow(script: readonly Scripted[]) {
  const deadlines: (number | undefined)[] = [];
  const left = [...script];
  const { platform, clock } = testPlatform({
    fetch: async (_, { deadline = Number.POSITIVE_INFINITY }) => {
      deadlines.push(deadline);
      const { takes, status = 200, headers, body = { status: 'ok', service: 'x' } } = left.shift() ?? { takes: 1e9 };
      await clock.sleep(Math.min(takes, deadline));
      if (takes > deadline) throw new DOMException('The operation was aborted due to timeout', 'TimeoutError');
      return Response.json(body, { status, ...(headers && { headers }) });
    },
  });
  return { client: createClient({ platform, baseUrl: BASE }), clock, deadlines };
}

test('a service that hangs costs half a minute with all tries', async () => {
  const { client, clock, deadlines } = slow([]);
  const begun = clock.now();
  expect(await failure(client.ask(PING))).toMatchObject({ kind: 'upstream', code: 'timeout' });
  expect([clock.now() - begun, deadlines]).toEqual([30_000, [30_000]]);
});

test('a further try has what the ones before it left', async () => {
  const { client, clock, deadlines } = slow([{ takes: 12_000, status: 500 }]);
  const begun = clock.now();
  expect(await failure(client.ask(PING))).toMatchObject({ kind: 'upstream', code: 'timeout' });
  expect(clock.now() - begun).toBe(30_000);
  expect(deadlines).toEqual([30_000, 18_000 - (clock.slept[1] ?? 0)]);
});

test('no try begins that has no time left', async () => {
  const { client, deadlines } = slow([{ takes: 29_900, status: 500 }]);
  expect(await failure(client.ask(PING))).toMatchObject({ kind: 'upstream', status: 500 });
  expect(deadlines).toEqual([30_000]);
});

test.each([429, 503])('a wait that a %d asks for is not counted', async (status) => {
  const headers = { 'retry-after': '45' };
  const { client, deadlines } = slow([{ takes: 1000, status, headers }, { takes: 20_000 }]);
  expect((await client.ask(PING)).status).toBe(200);
  expect(deadlines).toEqual([30_000, 29_000]);
});

test('each page of a walk has the whole time', async () => {
  const page = (offset: number, has_more: boolean) => ({
    ...WINDOW,
    data: [{ date: `2026-01-0${3 - offset}`, val: 1 }],
    pagination: { has_more, total_count: 2, ...(has_more && { next_offset: 1 }) },
  });
  const { client, deadlines } = slow([
    { takes: 25_000, body: page(0, true) },
    { takes: 25_000, body: page(1, false) },
  ]);
  expect(await collect(client.pages({ endpoint: SENTIMENT, args: { limit: 1 } }))).toHaveLength(2);
  expect(deadlines).toEqual([30_000, 30_000]);
});
