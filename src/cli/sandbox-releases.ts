import { MacroError } from '../errors.ts';
import type { Clock } from '../platform/platform.ts';
import { SANDBOX_SEED } from '../sandbox/open.ts';
import { createReleases, type Releases } from '../sandbox/releases.ts';
import { createWorld } from '../sandbox/world.ts';
import { sleepUntil } from '../sync/sleep-until.ts';
import type { App } from './app.ts';

/** Milliseconds that a server stands still at most while another program writes the mirror, and until it tries again. */
const BUSY_TIMEOUT = 100;
const RETRY = 1_000;

/** The schedule of the sandbox in this file, filled for the day of `now` (milliseconds), with all that is due by then published. */
export async function openReleases(app: App, path: string, now: number): Promise<Releases> {
  const mirror = await app.openMirror({ path, mode: 'write', busyTimeout: BUSY_TIMEOUT });
  const releases = createReleases(mirror, createWorld({ seed: SANDBOX_SEED, size: 'full', now }));
  await releases.upTo(now);
  return releases;
}

/** Publishes as the clock moves on, until it is interrupted. */
export async function keepReleasing(app: App, releases: Releases, clock: Clock): Promise<never> {
  for (let isFailing = false; ; ) {
    try {
      await sleepUntil(clock, await releases.upTo(clock.now()), app.signal);
      isFailing = false;
    } catch (error) {
      if (app.signal.aborted || !(error instanceof MacroError) || error.kind !== 'mirror') throw error;
      if (!isFailing) await app.warn(`a release is late: ${error.message}`);
      isFailing = true;
      await clock.sleep(RETRY, app.signal);
    }
  }
}
