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
