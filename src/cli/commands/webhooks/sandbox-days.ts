import { isTransientFailure } from '../../../mirror/rules/failures.ts';
import type { Clock } from '../../../platform/platform.ts';
import { type SandboxDays, sandboxDays } from '../../../sandbox/days.ts';
import { SANDBOX_SEED } from '../../../sandbox/open.ts';
import { createWorld } from '../../../sandbox/world.ts';
import { sleepUntil } from '../../../sync/series/due.ts';
import type { App } from '../../app/app.ts';

/** Milliseconds that a server stands still at most while another program writes the mirror, and until it tries again. */
const BUSY_TIMEOUT = 100;
const RETRY = 1_000;

/** The days of the sandbox in this file, filled for that of `now` (milliseconds), with all that is due by then published. */
export async function openDays(app: App, path: string, now: number): Promise<SandboxDays> {
  const mirror = await app.openMirror({ path, mode: 'write', busyTimeout: BUSY_TIMEOUT });
  const world = createWorld({ seed: SANDBOX_SEED, size: 'full', now });
  const days = sandboxDays(mirror, world, () => app.platform.clock.turnEnd());
  await days.upTo(now);
  return days;
}

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
