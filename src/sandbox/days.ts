import { dateToMs } from '../contract/time/time.ts';
import type { Mirror } from '../mirror/api/mirror.ts';
import { createReleases, type Releases } from './announced/releases.ts';
import { fillSandbox } from './fill.ts';
import { createWorld, type World } from './world.ts';

const DAY = 86_400_000;

/** What a served sandbox does as its clock moves on. */
export interface SandboxDays {
  /** Does all that is due by a moment; gives the moment of what is next. Both in milliseconds. */
  upTo(now: number): Promise<number>;
}

/**
 * Releases come as they are due. Everything else is of whole days, so a new one is filled when it begins, a series at a time
 * with a turn for others after each. What was released stays as it is: it is the data set of the new day already.
 */
export function sandboxDays(mirror: Mirror, world: World, turnEnd: () => Promise<void>): SandboxDays {
  const releases: Releases = createReleases(mirror, world);
  const { seed, size } = world;
  let midnight = dateToMs(world.today) + DAY;
  return {
    async upTo(now) {
      const next = await releases.upTo(now);
      if (now < midnight) return Math.min(next, midnight);
      await fillSandbox({ mirror, seed, size, now, besides: RELEASED, onSeries: turnEnd });
      midnight = dateToMs(createWorld({ seed, size, now }).today) + DAY;
      return Math.min(next, midnight);
    },
  };
}

const RELEASED: ReadonlySet<string> = new Set(['announcements', 'announcements_changes']);
