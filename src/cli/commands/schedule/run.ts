import { MacroError } from '../../../errors.ts';
import type { Every, Scheduler } from '../../../platform/schedule/scheduler.ts';
import type { App } from '../../app/app.ts';
import { textOption } from '../../parse/options.ts';
import type { Call } from '../command.ts';
import { sync } from '../sync/sync.ts';
import { jobOf } from './job.ts';
import { releasesAhead } from './releases.ts';
import { readEvery, schedulersOf } from './schedule.ts';

/**
 * What a schedule of releases runs: a sync of what is tracked, and then, however it ended, the releases that are next.
 * @throws MacroError of kind `usage`.
 */
export async function runScheduled(app: App, call: Call): Promise<void> {
  const every = readEvery(call);
  const name = textOption(call.options, 'with');
  const scheduler = schedulersOf(app).find((one) => one.name === name);
  if (!scheduler?.takesMoments)
    throw new MacroError('usage', 'macro schedule run is what macro schedule install --at releases puts in.', {
      hint: 'To sync now: macro sync. To have it run: macro schedule install --at releases.',
    });
  try {
    await sync(app, { words: [], options: call.options });
  } finally {
    await renew(app, scheduler, every).catch(tell(app));
  }
}

/** Puts in the moments that are next. Of a schedule that was taken out meanwhile nothing is put in again. */
async function renew(app: App, scheduler: Scheduler, every: Every): Promise<void> {
  if (!(await scheduler.find())) return;
  const job = jobOf(app, scheduler, { every, at: (await releasesAhead(app)).moments });
  await app.change(`put the next releases into ${scheduler.name}`, () => scheduler.install(job));
}

/** A sync that went well has not failed because the next moments could not be put in: the step goes on. */
function tell(app: App) {
  return async (error: unknown): Promise<void> => {
    if (!(error instanceof MacroError)) throw error;
    await app.warn(`The next releases are not scheduled: ${error.message}`, 'releases_not_scheduled');
  };
}
