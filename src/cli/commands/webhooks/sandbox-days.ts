import { dateToMs } from '../../../contract/time/time.ts';
import type { Mirror } from '../../../mirror/api/mirror.ts';
import { isTransientFailure } from '../../../mirror/core/storage-errors.ts';
import type { Clock } from '../../../platform/platform.ts';
import { createReleases, type Releases } from '../../../sandbox/announced/releases.ts';
import { fillSandbox } from '../../../sandbox/fill.ts';
import { SANDBOX_SEED } from '../../../sandbox/open.ts';
import { createWorld, type World } from '../../../sandbox/world.ts';
import { sleepUntil } from '../../../sync/sleep-until.ts';
import type { App } from '../../app/app.ts';

/** Milliseconds that a server stands still at most while another program writes the mirror, and until it tries again. */
const BUSY_TIMEOUT = 100;
const RETRY = 1_000;
const DAY = 86_400_000;

/** What a served sandbox does as its clock moves on. */
export interface SandboxDays {
  /** Does all that is due by a moment; gives the moment of what is next. Both in milliseconds. */
  upTo(now: number): Promise<number>;
}

/** The days of the sandbox in this file, filled for that of `now` (milliseconds), with all that is due by then published. */
export async function openDays(app: App, path: string, now: number): Promise<SandboxDays> {
  const mirror = await app.openMirror({ path, mode: 'write', busyTimeout: BUSY_TIMEOUT });
  const world = createWorld({ seed: SANDBOX_SEED, size: 'full', now });
  const days = sandboxDays(mirror, world, () => app.platform.clock.turnEnd());
  await days.upTo(now);
  return days;
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

/** Goes on as the clock does, until it is interrupted. Only a mirror that another program keeps is waited for. */
export async function keepDays(app: App, days: SandboxDays, clock: Clock): Promise<never> {
  for (let isFailing = false; ; ) {
    try {
      await sleepUntil(clock, await days.upTo(clock.now()), app.signal);
      isFailing = false;
    } catch (error) {
      if (app.signal.aborted || !(error instanceof Error) || !isTransientFailure(error)) throw error;
      if (!isFailing) await app.warn(`a release is late: ${error.message}`, 'release_late');
      isFailing = true;
      await clock.sleep(RETRY, app.signal);
    }
  }
}
