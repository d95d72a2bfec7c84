import { hintFor } from '../../../contract/words/nearest.ts';
import { MacroError } from '../../../errors.ts';
import type { SyncRun } from '../../../mirror/api/mirror.ts';
import { KEPT_RUNS } from '../../../mirror/statements/runs.ts';
import { crontab } from '../../../platform/schedule/crontab.ts';
import { launchd } from '../../../platform/schedule/launchd.ts';
import {
  type Entry,
  EVERY_WORDS,
  type Every,
  everyOf,
  isBegunBy,
  type Scheduler,
} from '../../../platform/schedule/scheduler.ts';
import { systemd } from '../../../platform/schedule/systemd.ts';
import type { App } from '../../app/app.ts';
import { textOption } from '../../parse/options.ts';
import { listOwn } from '../../print/listing.ts';
import { instantText } from '../../print/rows.ts';
import type { Call } from '../command.ts';
import { notConfigured } from '../sync/run.ts';
import { jobOf, type ScheduleTimes } from './job.ts';
import { releasesAhead } from './releases.ts';
import { isTerminalKeyOnly, requireReadableKey } from './run-key.ts';

const COLUMNS = ['scheduler', 'next', 'last'] as const;

/**
 * Lets the machine run `macro sync --quiet` by itself, and proves from the scheduler that it is going to.
 * @throws MacroError of kind `auth`, `incomplete` or `usage`.
 */
export async function installSchedule(app: App, call: Call): Promise<void> {
  const every = readEvery(call);
  const isAtReleases = readAt(call);
  if (app.settings.baseUrl.value === undefined) throw notConfigured();
  if (app.settings.tracks.value.length === 0)
    throw new MacroError('usage', 'Nothing is tracked, so a scheduled sync would have nothing to do.', {
      hint: 'For example: macro track add fx eur usd, calendar usd',
    });
  const scheduler = await chooseScheduler(app, textOption(call.options, 'with'), isAtReleases);
  const ahead = isAtReleases ? await releasesAhead(app) : undefined;
  const at = ahead?.moments;
  const job = jobOf(app, scheduler, { every, at });
  const breaking = [...job.command, ...Object.values(job.env)].find((word) => /[\0\r\n]/.test(word));
  if (breaking !== undefined)
    throw new MacroError('usage', 'A path of this setup has a line break in it, which no scheduler takes.');
  await requireReadableKey(app, job);
  const would = `let ${scheduler.name} run ${timesText({ every, at })}: ${job.command.join(' ')}`;
  if (!(await app.change(would, () => scheduler.install(job)))) return;
  const entry = await scheduler.find();
  if (entry?.next === undefined)
    throw new MacroError('incomplete', `${scheduler.name} took the entry but tells no next run.`, {
      hint: 'See macro schedule status; macro schedule remove takes it out again.',
    });
  const isRunning = await scheduler.isRunning();
  if (isRunning === false) {
    await printEntries(app, [{ scheduler, entry }]);
    throw scheduler.notRunning();
  }
  if (isRunning === undefined)
    await app.warn(`Whether ${scheduler.name} runs cannot be seen here.`, 'scheduler_unseen');
  await app.note(
    `${scheduler.name} runs macro sync ${timesText({ every, at })}; next at ${instantText(entry.next)}.`,
    'scheduled',
  );
  if (ahead?.lack !== undefined) await app.note(ahead.lack, 'no_coming_release');
  await tellLimits(app, scheduler);
  await printEntries(app, [{ scheduler, entry }]);
}

/** Prints where a sync is scheduled, when it ran last and when it runs next, as the schedulers tell. */
export async function showSchedule(app: App): Promise<void> {
  const found = await scheduleEntries(app);
  for (const { scheduler, entry } of found)
    if (entry.next === undefined)
      await app.warn(
        `${scheduler.name} has an entry but tells no next run: macro schedule install puts it in again.`,
        'no_next_run',
      );
  await printEntries(app, found);
}

/** Takes the entry out of every scheduler that has it. */
export async function removeSchedule(app: App): Promise<void> {
  const found = await scheduleEntries(app);
  const names = found.map(({ scheduler }) => scheduler.name).join(' and ');
  const remove = async () => {
    for (const { scheduler } of found) await scheduler.remove();
  };
  if (found.length > 0 && !(await app.change(`take the sync out of ${names}`, remove))) return;
  await app.note(found.length > 0 ? `The sync is taken out of ${names}.` : 'No sync is scheduled.', 'unscheduled');
}

interface Found {
  readonly scheduler: Scheduler;
  readonly entry: Entry;
}

/** Our entries in the schedulers of this machine, as they tell them. */
export async function scheduleEntries(app: App): Promise<readonly Found[]> {
  const found: Found[] = [];
  for (const scheduler of schedulersOf(app)) {
    const entry = (await scheduler.isThere()) ? await scheduler.find() : undefined;
    if (entry) found.push({ scheduler, entry });
  }
  return found;
}

/** Those of this system, the best first. */
export function schedulersOf({ platform }: App): readonly Scheduler[] {
  if (platform.os === 'windows') return [];
  return platform.os === 'macos' ? [launchd(platform), crontab(platform)] : [systemd(platform), crontab(platform)];
}

async function chooseScheduler(app: App, requestedName: string | undefined, isAtReleases: boolean): Promise<Scheduler> {
  const all = schedulersOf(app);
  const names = all.map(({ name }) => name);
  const chosen = requestedName === undefined ? all : all.filter(({ name }) => name === requestedName);
  if (requestedName !== undefined && chosen.length === 0)
    throw new MacroError('usage', `'${requestedName}' is no scheduler of this machine.`, {
      hint: `Legal: ${names.join(', ')}.`,
    });
  const able = chosen.filter(({ takesMoments }) => takesMoments || !isAtReleases);
  const there: Scheduler[] = [];
  for (const scheduler of able) if (await scheduler.isThere()) there.push(scheduler);
  for (const scheduler of there) if ((await scheduler.isRunning()) !== false) return scheduler;
  if (there[0]) return there[0];
  if (able.length === 0)
    throw new MacroError(
      'usage',
      `${names[0]} cannot be given the moments of releases: changing its entry ends the run.`,
      {
        hint: 'Give --every alone, --with cron, or let macro sync --watch run.',
      },
    );
  throw new MacroError(
    'notFound',
    `No scheduler answers here${requestedName === undefined ? '' : ` under the name ${requestedName}`}.`,
    {
      code: 'no_scheduler',
      hint: 'Let whatever starts programs on this machine run: macro sync --quiet',
    },
  );
}

/**
 * The step that was typed for a schedule.
 * @throws MacroError of kind `usage`.
 */
export function readEvery({ options }: Call): Every {
  const text = textOption(options, 'every') ?? '1h';
  const every = everyOf(text);
  if (every) return every;
  throw new MacroError('usage', `'${text}' is no value for --every.`, {
    hint: hintFor(text, EVERY_WORDS, `Legal: ${EVERY_WORDS.join(', ')}.`),
  });
}

function readAt({ options }: Call): boolean {
  const text = textOption(options, 'at');
  if (text === undefined || text === 'releases') return text !== undefined;
  throw new MacroError('usage', `'${text}' is no value for --at.`, { hint: 'Legal: releases.' });
}

function timesText({ every, at = [] }: ScheduleTimes): string {
  if (at.length === 0) return `every ${every.word}`;
  const releases = at.length === 1 ? 'release' : `${at.length} releases`;
  return `every ${every.word} and after the next ${releases}, which each run puts in anew`;
}

async function tellLimits(app: App, { name }: Scheduler): Promise<void> {
  if (isTerminalKeyOnly(app))
    await app.warn(
      'The key of this terminal is not handed to the scheduler: macro auth login keeps it for scheduled runs.',
      'key_not_scheduled',
    );
  if (name === 'systemd')
    await app.note(
      'It runs while you are logged in; loginctl enable-linger lets it run without.',
      'only_while_logged_in',
    );
}

async function printEntries(app: App, found: readonly Found[]): Promise<void> {
  const runs = found.some(({ entry }) => entry.last === undefined) ? await runsOf(app) : [];
  const rows = found.map(({ scheduler: { name }, entry }) => ({
    scheduler: name,
    next: instantText(entry.next),
    // Not every scheduler tells it, but a run notes who began it.
    last: instantText(entry.last ?? runs.find((run) => isBegunBy(run, name))?.started),
  }));
  return app.print(
    listOwn({ columns: COLUMNS, rows, title: found.length > 0 ? ['Scheduled'] : ['Nothing is scheduled'] }),
  );
}

/** The latest runs. A mirror that cannot be read is no reason to tell nothing of a schedule. */
async function runsOf(app: App): Promise<readonly SyncRun[]> {
  try {
    return (await (await app.mirrorIfAny())?.mirror.runs(KEPT_RUNS)) ?? [];
  } catch (error) {
    if (error instanceof MacroError) return [];
    throw error;
  }
}
