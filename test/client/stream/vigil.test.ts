import { expect, it } from 'vitest';
import { createIdleWatchdog } from '../../../src/client/stream/idle-watchdog.ts';
import { testPlatform } from '../../support/platform.ts';

const never = new Promise<never>(() => undefined);
const errorOf = (work: Promise<unknown>) => work.catch((error: unknown) => error);

it('silence adds up over several waits', async () => {
  const { platform, clock } = testPlatform({ sleeping: 'waits' });
  const vigil = createIdleWatchdog(platform.clock, 10_000);
  const first = vigil.over(never, 6_000);
  await clock.advance(6_000);
  expect(await first).toEqual({ lost: 'nothing came for 6 s' });
  const second = errorOf(vigil.over(never, 6_000));
  await clock.advance(4_000);
  expect(await second).toMatchObject({ kind: 'stale', code: 'stream_stale' });
});

it('what is done between two waits is no silence', async () => {
  const { platform, clock } = testPlatform({ sleeping: 'waits' });
  const vigil = createIdleWatchdog(platform.clock, 10_000);
  vigil.heard();
  await clock.advance(60_000);
  expect(await vigil.over(Promise.resolve('an event'), 6_000)).toEqual({ done: 'an event' });
});

it('work that fails for one who has left already is nobody’s failure', async () => {
  const { platform } = testPlatform({ sleeping: 'waits' });
  const left = new AbortController();
  left.abort(new Error('left'));
  const work = Promise.reject(new Error('aborted'));
  const vigil = createIdleWatchdog(platform.clock);
  // Without a handler the run ends with an unhandled rejection.
  expect(await errorOf(vigil.over(work, 6_000, left.signal))).toEqual(new Error('left'));
});
