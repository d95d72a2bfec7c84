import { expect, it } from 'vitest';
import { createIdleWatchdog, watched } from '../../../src/client/stream/idle-watchdog.ts';
import { testPlatform } from '../../support/platform.ts';

const { signal } = new AbortController();

async function* pages(...list: readonly Promise<string>[]) {
  for (const page of list) yield await page;
}

it('an answer that never comes is silence', async () => {
  const { platform, clock } = testPlatform({ sleeping: 'waits' });
  const never = new Promise<string>(() => undefined);
  const walk = watched(() => pages(Promise.resolve('first'), never), createIdleWatchdog(platform.clock, 3_000), signal);
  expect(await walk.next()).toEqual({ done: false, value: 'first' });
  const next = walk.next().catch((error: unknown) => error);
  await clock.advance(3_000);
  expect(await next).toMatchObject({ kind: 'stale' });
});

it('a walk that is left is ended', async () => {
  const { platform } = testPlatform();
  let isEnded = false;
  const walk = (end: AbortSignal) => {
    end.addEventListener('abort', () => {
      isEnded = true;
    });
    return pages(Promise.resolve('first'));
  };
  for await (const _ of watched(walk, createIdleWatchdog(platform.clock), signal)) break;
  expect(isEnded).toBe(true);
});

it('a clock that jumps ends no walk', async () => {
  const { platform, clock } = testPlatform({ sleeping: 'waits' });
  let answer: (page: string) => void = () => undefined;
  const late = new Promise<string>((resolve) => {
    answer = resolve;
  });
  const next = watched(() => pages(late), createIdleWatchdog(platform.clock), signal).next();
  clock.jump(3_600_000);
  await clock.advance(5_000);
  answer('late');
  expect(await next).toEqual({ done: false, value: 'late' });
});
