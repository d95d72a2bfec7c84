import { KEY_VARIABLES } from '../../../client/http/key.ts';
import { isJsonObject, parseJson } from '../../../contract/json/json.ts';
import { MacroError, unlessRefused } from '../../../errors.ts';
import type { SyncRun } from '../../../mirror/api/mirror.ts';
import { isServerAddress } from '../../../mirror/rules/engine.ts';
import { MAX_RUNS } from '../../../mirror/statements/runs.ts';
import { crontab } from '../../../platform/schedule/crontab.ts';
import { launchd } from '../../../platform/schedule/launchd.ts';
import {
  BEGUN_BY,
  type Entry,
  EVERY_WORDS,
  type Every,
  everyOf,
  isBegunBy,
  type Job,
  type Scheduler,
} from '../../../platform/schedule/scheduler.ts';
import { systemd } from '../../../platform/schedule/systemd.ts';
import type { App } from '../../app/app.ts';
import { storedKey } from '../../app/keys.ts';
import { type Options, readChoice } from '../../parse/options.ts';
import { instantText } from '../../print/rows.ts';
import { type Call, type CommandDeclaration, lazy } from '../command.ts';
import { LISTING } from '../common-options.ts';
import { notConfigured, OUTCOME, RUN_LOG } from '../sync/sync.ts';

const EVERY = `--every DUR (${EVERY_WORDS.join('|')}): how often; default 1h`;

const WITH = '--with NAME (systemd|launchd|cron): scheduler to use; default: the best that the machine has';

const SCHEDULED = 'scheduler text, next time?, last time?';

export default [
  {
    path: ['schedule', 'install'],
    summary: 'Install a schedule of macro sync in systemd, launchd or cron',
    options: [
      EVERY,
      `--at WHAT (releases): releases: also when a tracked release of the calendar is out`,
      WITH,
      LISTING,
    ],
    changes: true,
    examples: ['schedule install --every 30m --with cron', 'schedule install --at releases --every 6h'],
    rows: SCHEDULED,
    run: installSchedule,
  },
  {
    path: ['schedule', 'run'],
    summary: 'Run macro sync and schedule the next releases; a schedule of releases calls this',
    options: [EVERY, WITH, RUN_LOG, LISTING],
    changes: true,
    examples: ['schedule run --with systemd --quiet', 'schedule run --every 6h --with cron'],
    rows: OUTCOME,
    run: lazy(() => import('./releases.ts'), 'runScheduled'),
  },
  {
    path: ['schedule', 'status'],
    summary: 'Show when the scheduled sync ran last and runs next',
    examples: ['schedule status', 'schedule status --format json'],
    rows: SCHEDULED,
    run: showSchedule,
  },
  {
    path: ['schedule', 'remove'],
    summary: 'Remove the scheduled sync',
    changes: true,
    examples: ['schedule remove', 'schedule remove --quiet'],
    run: removeSchedule,
  },
] satisfies readonly CommandDeclaration[];

/** Schedules `macro sync --quiet` and reads it back. @throws MacroError of kind `auth`, `incomplete` or `usage`. */
async function installSchedule(app: App, call: Call): Promise<void> {
  const every = readEvery(call);
  const isAtReleases = readAt(call);
  const { baseUrl, tracks } = app.settings;
  const { splitSelections } = await import('../../app/publishers.ts');
  // Publishers need no service.
  const needsService = tracks.value.length === 0 || splitSelections(app, [tracks.value.join(', ')]).rest.length > 0;
  if (baseUrl.value === undefined && needsService) throw notConfigured();
  if (tracks.value.length === 0)
    throw new MacroError('usage', 'Nothing is tracked, so a scheduled sync would have nothing to do.', {
      hint: 'For example: macro track add fx eur usd, calendar usd',
    });
  const scheduler = await chooseScheduler(app, call.options, isAtReleases);
  const ahead = isAtReleases ? await (await import('./releases.ts')).releasesAhead(app) : undefined;
  const at = ahead?.moments;
  const job = jobOf(app, scheduler, { every, at });
  const breaking = [...job.command, ...Object.values(job.env)].find((word) => /[\0\r\n]/.test(word));
  if (breaking !== undefined)
    throw new MacroError('usage', 'A path of this setup has a line break in it, which no scheduler takes.');
  await requireReadableKey(app, job);
  if (app.isDryRun) await app.printText(scheduler.entryText(job));
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
  if (ahead?.missingPart !== undefined) await app.note(ahead.missingPart, 'no_coming_release');
  await tellLimits(app, scheduler);
  await printEntries(app, [{ scheduler, entry }]);
}

async function showSchedule(app: App): Promise<void> {
  const found = await scheduleEntries(app);
  for (const { trouble } of found)
    if (trouble) await app.warn(`${trouble.message} ${trouble.hint ?? ''}`.trim(), trouble.code ?? 'no_next_run');
  await printEntries(app, found);
}

async function removeSchedule(app: App): Promise<void> {
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
  /** Why it does not run by itself; it has no next run then. */
  readonly trouble?: MacroError | undefined;
}

/** Our entries in the schedulers of this machine, as they tell them. */
export async function scheduleEntries(app: App): Promise<readonly Found[]> {
  const found: Found[] = [];
  for (const scheduler of schedulersOf(app)) {
    const entry = await unlessRefused(scheduler.find, () => undefined);
    if (!entry) continue;
    const trouble = (await scheduler.isRunning()) === false ? scheduler.notRunning() : withoutNextRun(scheduler, entry);
    found.push({ scheduler, entry: trouble ? { ...entry, next: undefined } : entry, trouble });
  }
  return found;
}

function withoutNextRun({ name }: Scheduler, { next }: Entry): MacroError | undefined {
  if (next !== undefined) return undefined;
  return new MacroError('incomplete', `${name} has an entry but tells no next run.`, {
    code: 'no_next_run',
    hint: 'Put it in again with: macro schedule install',
  });
}

/** Those of this system, the best first. */
export function schedulersOf({ platform }: App): readonly Scheduler[] {
  if (platform.os === 'windows') return [];
  return platform.os === 'macos' ? [launchd(platform), crontab(platform)] : [systemd(platform), crontab(platform)];
}

async function chooseScheduler(app: App, options: Options, isAtReleases: boolean): Promise<Scheduler> {
  const all = schedulersOf(app);
  const names = all.map(({ name }) => name);
  const wished = readChoice(options, 'with', names);
  const chosen = wished === undefined ? all : all.filter(({ name }) => name === wished);
  const able = chosen.filter(({ takesMoments }) => takesMoments || !isAtReleases);
  const there: Scheduler[] = [];
  for (const scheduler of able) if (await scheduler.isThere()) there.push(scheduler);
  for (const scheduler of there) if ((await scheduler.isRunning()) !== false) return scheduler;
  const first = there[0] ?? (app.isDryRun ? able[0] : undefined);
  if (first) return first;
  if (able.length === 0)
    throw new MacroError(
      'usage',
      `${names[0]} cannot be given the moments of releases: changing its entry ends the run.`,
      { hint: 'Give --every alone, --with cron, or let macro sync --watch run.' },
    );
  throw new MacroError(
    'notFound',
    `No scheduler answers here${wished === undefined ? '' : ` under the name ${wished}`}.`,
    { code: 'no_scheduler', hint: 'Let whatever starts programs on this machine run: macro sync --quiet' },
  );
}

/** The step that was typed for a schedule. @throws MacroError of kind `usage`. */
export function readEvery({ options }: Call): Every {
  return everyOf(readChoice(options, 'every', EVERY_WORDS) ?? '1h');
}

function readAt({ options }: Call): boolean {
  return readChoice(options, 'at', ['releases']) !== undefined;
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
  return app.list({ rows, title: [found.length > 0 ? 'Scheduled' : 'Nothing is scheduled'] });
}

/** The latest runs. A mirror that cannot be read is no reason to tell nothing of a schedule. */
function runsOf(app: App): Promise<readonly SyncRun[]> {
  return unlessRefused(
    async () => (await (await app.mirrorIfAny())?.mirror.runs(MAX_RUNS)) ?? [],
    () => [],
  );
}

/** When a sync is to run: at every step, and at further moments (milliseconds), which each run then puts in anew. */
interface ScheduleTimes {
  readonly every: Every;
  readonly at: readonly number[] | undefined;
}

/** The command that a scheduler runs. Where moments are put in anew, the command has all that this takes. */
export function jobOf(app: App, { name }: Scheduler, { every, at }: ScheduleTimes): Job {
  const { program } = app.platform;
  const env = { ...environmentOf(app), [BEGUN_BY]: name };
  if (!at) return { command: [...program, 'sync', '--quiet'], env, every };
  return { command: [...program, 'schedule', 'run', '--every', every.word, '--with', name, '--quiet'], env, every, at };
}

/** Variables that name folders, files and services. None of them is a secret. */
const PLACES = ['MACRO_HOME', 'XDG_CONFIG_HOME', 'XDG_STATE_HOME', 'XDG_DATA_HOME', 'MACRO_PUBLISHERS_FILE'] as const;

/** Variables of libpq that describe the connection to a server; never the password. The second ones are paths. */
const SERVER = ['PGHOST', 'PGPORT', 'PGUSER', 'PGDATABASE', 'PGSSLMODE'] as const;
const SERVER_FILES = ['PGPASSFILE', 'PGSSLROOTCERT', 'PGSSLCERT', 'PGSSLKEY'] as const;

/** The settings of a run without this terminal, fixed as they are now. */
export function environmentOf({ platform, settings }: App): Readonly<Record<string, string>> {
  const { env, cwd } = platform;
  const { profile, baseUrl, mirror } = settings;
  const isServer = isServerAddress(mirror.value);
  const files = [...PLACES, ...(isServer ? SERVER_FILES : [])];
  const places = files.flatMap((name) => (env[name] ? [[name, absolute(env[name], cwd)]] : []));
  const words = (isServer ? SERVER : []).flatMap((name) => (env[name] ? [[name, env[name]]] : []));
  return {
    ...Object.fromEntries([...places, ...words]),
    ...(profile.value !== undefined && { MACRO_PROFILE: profile.value }),
    ...(isTyped(baseUrl.from) && { MACRO_BASE_URL: baseUrl.value ?? '' }),
    ...(isTyped(mirror.from) && { MACRO_MIRROR: mirror.value }),
  };
}

const absolute = (path: string, cwd: string): string => (path.startsWith('/') ? path : `${cwd}/${path}`);

/** Said by an option or a variable of this terminal, not by a file that later runs read by themselves. */
const isTyped = (from: string): boolean => from.startsWith('--') || from.startsWith('MACRO_');

/** True for a key that is in a variable of this terminal and nowhere else. */
export function isTerminalKeyOnly({ platform, settings }: App): boolean {
  const { value: baseUrl } = settings.baseUrl;
  if (baseUrl === undefined || !KEY_VARIABLES.some((name) => platform.env[name])) return false;
  return storedKey(platform, settings, baseUrl) === undefined;
}

/** No bus of a desktop session has this address, so nothing that belongs to one can be asked. */
const NO_SESSION = 'unix:path=/nonexistent/macro-no-session';

/** Starts this program as the scheduler would, to prove that it can read the key. @throws MacroError with exit 4. */
export async function requireReadableKey(app: App, { env }: Pick<Job, 'env'>): Promise<void> {
  const { platform, settings } = app;
  const { value: baseUrl } = settings.baseUrl;
  if (baseUrl === undefined || storedKey(platform, settings, baseUrl)?.place !== 'keychain') return;
  const [program = '', ...words] = platform.program;
  const bare = { PATH: '/usr/bin:/bin', HOME: platform.home, ...env, DBUS_SESSION_BUS_ADDRESS: NO_SESSION };
  const ran = await platform.run(program, [...words, 'auth', 'status', '--format', 'json'], { env: bare });
  if (ran.code === 0 && isPresent(ran.stdout)) return;
  throw new MacroError(
    'auth',
    'Scheduled runs cannot read the key: it is in a keychain that needs a desktop session.',
    {
      code: 'key_needs_session',
      hint: 'Move it into a file that only you can read: macro auth move file. Then: macro schedule install',
    },
  );
}

function isPresent(text: string): boolean {
  const answer = parseJson(text);
  const [row] = isJsonObject(answer) && Array.isArray(answer.data) ? answer.data : [];
  return isJsonObject(row) && row.key === 'present';
}
