// A schedule of releases: when they are, and the run that puts the next ones in.

import { ENDPOINTS } from '../../../endpoints/index.ts';
import { MacroError, unlessRefused } from '../../../errors.ts';
import { appearancesAhead } from '../../../imports/fetch/download.ts';
import type { Every, Scheduler } from '../../../platform/schedule/scheduler.ts';
import { releaseMoments } from '../../../sync/series/due.ts';
import { type Expanded, expandWords } from '../../../sync/series/select.ts';
import type { App } from '../../app/app.ts';
import { splitSelections } from '../../app/publishers.ts';
import { textOption } from '../../parse/options.ts';
import type { Call } from '../command.ts';
import { silentClient, sync } from '../sync/sync.ts';
import { jobOf, readEvery, schedulersOf } from './schedule.ts';

/** A crontab knows no years, so nothing of the next one; in milliseconds. */
const AHEAD = 180 * 86_400_000;

/** A file is there some minutes after its time; in milliseconds. */
const PUBLISHING = 5 * 60_000;

/** Max releases of a schedule: the run at each release adds later ones, and nobody reads longer entries. */
const MAX_RELEASES = 50;

/** Syncs tracked series, then prints the next releases in any case. @throws MacroError of kind `usage`. */
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
    // A sync that went well has not failed because the next moments could not be put in.
    await unlessRefused(
      () => renew(app, scheduler, every),
      (error) => app.warn(`The next releases are not scheduled: ${error.message}`, 'releases_not_scheduled'),
    );
  }
}

/** Puts in the moments that are next. A schedule that was removed meanwhile stays removed. */
async function renew(app: App, scheduler: Scheduler, every: Every): Promise<void> {
  if (!(await scheduler.find())) return;
  const job = jobOf(app, scheduler, { every, at: (await releasesAhead(app)).moments });
  await app.change(`put the next releases into ${scheduler.name}`, () => scheduler.install(job));
}

/** Moments after the next releases of tracked series and files of publishers; why there are none, and what to do about it. */
export async function releasesAhead(app: App) {
  const mirror = (await app.mirrorIfAny())?.mirror;
  const now = app.platform.clock.now();
  const { rest: words, units } = splitSelections(app, [app.settings.tracks.value.join(', ')]);
  const expanded = await expandWords(words, { endpoints: ENDPOINTS, mirror, now });
  const { targets } = expanded;
  const found =
    mirror && words.length > 0
      ? await releaseMoments({ reader: mirror, asker: await silentClient(app), targets, now }, now + AHEAD)
      : [];
  const files = units.flatMap(({ download }) => appearancesAhead(download.appears, now).map((at) => at + PUBLISHING));
  const moments = [...new Set([...found, ...files])].sort((a, b) => a - b).slice(0, MAX_RELEASES);
  return { moments, missingPart: moments.length > 0 ? undefined : missingPartIn(expanded) };
}

/** A release is one of announcements, and its time is that of a calendar: whichever of them is not tracked is missing. */
function missingPartIn({ targets, unknown }: Expanded): string {
  const currenciesOf = (id: string) =>
    new Set(
      targets.filter(({ endpoint }) => endpoint.id === id).map(({ args }) => String(args.currency).toLowerCase()),
    );
  const [announced, calendars] = [currenciesOf('announcements'), currenciesOf('calendar')];
  if (announced.size === 0 && unknown.length === 0)
    return `Releases are those of announcements, and none are tracked: macro track add announcements ${[...calendars][0] ?? 'usd'} inflation`;
  const dateless = [...announced].filter((currency) => !calendars.has(currency));
  if (dateless.length > 0)
    return `No stored calendar has the next releases of the tracked series: macro track add ${dateless.map((one) => `calendar ${one}`).join(', ')}`;
  return 'The mirror has no coming release of a tracked series; later runs schedule them. To bring them now: macro sync';
}
