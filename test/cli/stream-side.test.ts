import { expect, it } from 'vitest';
import { main } from '../../src/main.ts';
import { settle } from '../support/clock.ts';
import { testPlatform } from '../support/platform.ts';
import { SERVICE_URL } from '../support/service.ts';

it('a service that takes the question for what was missed, and never answers, is silent too: exit 11', async () => {
  const { platform, clock, err } = testPlatform({
    env: { MACRO_BASE_URL: SERVICE_URL, MACRO_API_KEY: 'k' },
    sleeping: 'waits',
    fetch: (_, { signal }) =>
      new Promise((_, reject) => signal?.addEventListener('abort', () => reject(signal.reason))),
  });
  const ended = main(['stream', '--max-stale', '3s'], platform);
  for (let step = 0; step < 300 && err() === ''; step += 1) {
    await settle();
    await clock.advance(100);
  }
  expect(await ended).toBe(11);
  expect(err()).toContain('macro: Not a byte came from the stream for 3 s.\n');
});
