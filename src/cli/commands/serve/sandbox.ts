// `serve --sandbox`: generated data, and the days that pass in them.

import { MacroError } from '../../../errors.ts';
import type { Mirror } from '../../../mirror/api/mirror.ts';
import { isTransientFailure } from '../../../mirror/rules/failures.ts';
import type { Clock } from '../../../platform/platform.ts';
import { type SandboxDays, sandboxDays } from '../../../sandbox/days.ts';
import { openSandbox, SANDBOX_SEED } from '../../../sandbox/open.ts';
import { createWorld } from '../../../sandbox/world.ts';
import { sleepUntil } from '../../../sync/series/due.ts';
import { type App, warnSynthetic } from '../../app/app.ts';
import { SERVE_BUSY_MS } from './followed-mirror.ts';

/** Milliseconds until a server whose mirror another program writes tries again. */
const RETRY = 1_000;

/** The mirror of the sandbox is a file of its own: generated rows never stand beside real ones. */
export async function openGenerated(app: App, now: number): Promise<Mirror> {
  if (app.settings.mirror.from === '--mirror')
    throw new MacroError('usage', 'The sandbox has a mirror of its own.', { hint: 'Leave out --mirror or --sandbox.' });
  const { platform, settings } = app;
  platform.files.makeFolder(settings.folders.mirrors, 0o700);
  const { path } = await openSandbox({
    platform,
    folder: settings.folders.mirrors,
    now,
    onProgress: ({ series, rows }) =>
      void (series === 1
        ? app.note('The synthetic data of today are generated first, which can take a minute.', 'generating')
        : app.progress(`generating: ${series} series, ${rows} rows`)),
  });
  await warnSynthetic(app);
  return app.openMirror({ path, mode: 'read' });
}

/** Publishes what the schedule of the sandbox has until now; what it gives runs until the server is interrupted. */
export async function startReleases(app: App, mirror: Mirror, clock: Clock): Promise<() => Promise<never>> {
  const days = await openDays(app, mirror.name, clock.now());
  return () => keepDays(app, days, clock);
}

/** The days of the sandbox in this file, filled for that of `now` (milliseconds), with all that is due by then published. */
async function openDays(app: App, path: string, now: number): Promise<SandboxDays> {
  const mirror = await app.openMirror({ path, mode: 'write', busyTimeout: SERVE_BUSY_MS });
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
