import { type BudgetLeft, blockedUntil, readBudgets } from '../../client/quota/budgets.ts';
import { waitText } from '../../client/text.ts';
import { KEYLESS_DAYS } from '../../contract/access.ts';
import { type ErrorKind, EXIT_CODES, MacroError, unlessRefused } from '../../errors.ts';
import type { FetchUnit } from '../../imports/fetch/units.ts';
import type { Mirror, SyncRun } from '../../mirror/api/mirror.ts';
import type { StoredSeries } from '../../mirror/api/series.ts';
import { impliedFeeds } from '../../sync/feeds.ts';
import { overviewsOf, type SelectionState } from '../../sync/overview.ts';
import { nextDue } from '../../sync/series/due.ts';
import { targetName } from '../../sync/series/select.ts';
import { type App, formatFor } from '../app/app.ts';
import { accessWith } from '../app/keys.ts';
import { readAccount } from '../app/service.ts';
import { baseUrlOrigin, takenLater } from '../app/settings.ts';
import { lastVerified, type Verified } from '../app/verified.ts';
import { isOn, readDuration, textOption } from '../parse/options.ts';
import { instantText } from '../print/rows.ts';
import { namesText } from '../print/text.ts';
import type { Call, CommandDeclaration } from './command.ts';
import { LISTING } from './common-options.ts';
import { scheduleEntries } from './schedule/schedule.ts';

export default [
  {
    path: ['status'],
    summary: 'Show the state of tracked series: freshness, missing dates, the last run, next due, quota',
    options: [
      `--check: print one line for a monitor. Exit codes: 0 ok, 2 nothing tracked, 6 last run failed, 8 unreadable mirror, 9 altered rows, 10 missing dates, 11 stale or silent publisher
      --max-age DUR: with --check: older than this is stale; default: each series by its kind`,
      LISTING,
    ],
    examples: ['status', 'status --check --max-age 2h'],
    rows: 'selection text, state text, series count, stored count, due count, gaps count, checked time?, proof time?',
    run: showStatus,
  },
] satisfies readonly CommandDeclaration[];

/** Facts that need no request. Times are milliseconds. */
export interface StatusReport {
  readonly mirror: MirrorState;
  readonly states: readonly TrackState[];
  readonly lastRun: SyncRun | undefined;
  readonly verified: Verified | undefined;
  readonly due: { readonly at: number | undefined; readonly release: string | undefined };
  readonly scheduled: readonly { readonly scheduler: string; readonly next: number | undefined }[];
  readonly budgets: readonly BudgetLeft[];
  readonly heldUntil: number | undefined;
}

/** How something that is tracked stands: series of the service, or files of a publisher. */
export interface TrackState extends SelectionState {
  /** Series that files brought; undefined for those of the service. */
  readonly stored?: readonly StoredSeries[];
  /** When its files have something to do next, in milliseconds. */
  readonly nextAt?: number;
  /** Why its publisher counts as silent. */
  readonly silence?: string | undefined;
}

interface MirrorState {
  readonly path: string;
  readonly bytes: number | undefined;
  readonly open: Mirror | undefined;
  /** Why nothing can be read of it. */
  readonly problem: string | undefined;
  /** The same as an error, where there is a file that cannot be read. */
  readonly error: MacroError | undefined;
}

const SPARE = ['proof', 'stored', 'series'] as const;

/** The message for a monitor. Without a kind everything is well. */
interface StatusVerdict {
  readonly state: 'ok' | 'unreadable' | 'altered' | 'failed' | 'untracked' | 'missing' | 'stale' | 'silent';
  readonly says: string;
  readonly kind?: ErrorKind;
  readonly hint?: string | undefined;
}

/** Prints the state of tracked selections, last run, next run and quota, from mirror and ledger. `--check` may fail. */
async function showStatus(app: App, call: Call): Promise<void> {
  for (const warning of app.settings.warnings) await app.warn(warning, 'settings');
  const age = textOption(call.options, 'max-age');
  const report = await readStatus(app, age === undefined ? undefined : readDuration(age, '--max-age') * 1000);
  if (isOn(call.options, 'check')) return printVerdict(app, report);
  const { mirror, states, lastRun, due, scheduled, budgets, heldUntil } = report;
  const { error } = mirror;
  // A mirror that cannot be read is worth a warning (rows alone say nothing of it) and no reason to stop.
  if (error) await app.warn([error.message, error.hint ?? ''].join(' ').trim(), error.code ?? 'mirror_unread');
  const { baseUrl } = app.settings;
  await app.list({
    spare: SPARE,
    rows: states.map(rowOf),
    title: [baseUrl.value ?? 'no service', tracksText(states)],
    beside: {
      service: baseUrl.value ?? null,
      mirror: { path: mirror.path, bytes: mirror.bytes ?? null, problem: mirror.problem ?? null },
      last_run: lastRun ? runFacts(lastRun) : null,
      next_due: instantText(due.at),
      next_release: due.release ?? null,
      scheduled: scheduled.map(({ scheduler, next }) => ({ scheduler, next: instantText(next) })),
      quota: budgets.map(({ budget, limit, left, resetsAt: at }) => ({
        budget,
        limit,
        left,
        resets_at: instantText(at),
      })),
      quota_held_until: instantText(heldUntil),
    },
    block: { title: 'Now', lines: linesOf(app, report) },
  });
}

function rowOf({ selection, series, storedCount, due, gaps, locked, recent, ...state }: TrackState) {
  const { checkedAt, wholeAt, silence } = state;
  const states = [
    [locked > 0 && (storedCount < series || gaps > 0 || due > 0), 'needs a key'],
    [storedCount < series, 'not all stored'],
    [gaps > 0, 'has gaps'],
    [due > 0, 'due'],
    [silence !== undefined, 'silent'],
    [recent > 0, `up to date, ${KEYLESS_DAYS} days`],
  ] as const;
  const word = states.find(([applies]) => applies)?.[1] ?? 'up to date';
  const times = { checked: instantText(checkedAt), proof: instantText(wholeAt) };
  return { selection, state: word, series, stored: storedCount, due, gaps, ...times };
}

function tracksText(states: readonly TrackState[]): string {
  if (states.length > 0) return `${states.length} tracked`;
  return 'nothing is tracked: macro track add fx eur usd does it; macro mirror status lists stored series';
}

function runFacts({ started, ended, outcome, requests, rows, problem, words }: SyncRun) {
  return {
    ...{ started: instantText(started), ended: instantText(ended), outcome: outcome ?? 'under way' },
    ...{ requests, rows, problem: problem ?? null, words },
  };
}

function quotaText(budgets: readonly BudgetLeft[], reserved: number | undefined): string {
  if (reserved !== undefined) return `none before ${instantText(reserved)}: the service asked to wait`;
  return budgets.map(({ budget, left, limit }) => `${budget} ${left} of ${limit}`).join(', ') || 'no service';
}

function linesOf(app: App, report: StatusReport): readonly (readonly [string, string])[] {
  const { mirror, lastRun, due, scheduled, budgets, heldUntil } = report;
  const size = mirror.bytes === undefined ? '' : `, ${(mirror.bytes / 1e6).toFixed(1)} MB`;
  const next = instantText(due.at);
  const runs = scheduled.map((one) => `${one.scheduler}, next ${instantText(one.next) ?? 'unknown'}`);
  return [
    ['mirror', `${mirror.path}${size}${mirror.problem ? `: ${mirror.problem}` : ''}`],
    ['last run', lastRun ? runText(runFacts(lastRun), app.platform.clock.now()) : 'none'],
    ['next due', next === null ? 'nothing' : `${next}${due.release ? ` for ${due.release}` : ''}`],
    ['scheduled', runs.join('; ') || 'no'],
    ['quota left', quotaText(budgets, heldUntil)],
  ];
}

function runText({ started, outcome, requests, problem }: ReturnType<typeof runFacts>, now: number): string {
  const ago = started === null ? '' : ` (${agoText(Date.parse(started), now)})`;
  return `${outcome} ${started}${ago}, ${requests} requests${problem ? `: ${problem}` : ''}`;
}

/** Prints the verdict as one line on stdout. @throws MacroError with the exit code of the first finding, and what to do */
async function printVerdict(app: App, report: StatusReport): Promise<void> {
  const { state, says, kind, hint } = judgeStatus(report, app.platform.clock.now());
  const exit = kind === undefined ? 0 : EXIT_CODES[kind];
  const format = formatFor(app);
  const isJson = format === 'json' || format === 'ndjson';
  const verified = instantText(report.verified?.at);
  await app.printText(isJson ? JSON.stringify({ state, exit, message: says, verified }) : `macro ${state}: ${says}`);
  if (!kind) return;
  const code = `status_${state}`;
  // A person has read of the fault on stdout.
  throw isJson
    ? new MacroError(kind, says, { code, hint })
    : new MacroError(kind, hint ?? 'macro doctor says more.', { code });
}

const SYNC = 'To bring it up to date: macro sync';

/** Something is tracked, and its mirror is not there: a disk that is not mounted, or a wrong address. */
export const MIRROR_GONE = 'If it should be there, mount its disk or correct its address. macro sync makes a new one.';

/** The first that applies: mirror unreadable or altered, last run failed, nothing tracked, no mirror, missing ranges, stale, a silent publisher. */
function judgeStatus({ mirror, lastRun, states, verified }: StatusReport, now: number): StatusVerdict {
  const { error } = mirror;
  if (error) return { state: 'unreadable', kind: error.kind, says: error.message, hint: error.hint };
  if (verified && verified.problems > 0) {
    const count = verified.problems === 1 ? 'a problem' : `${verified.problems} problems`;
    const says = `the check of ${instantText(verified.at)} found ${count} in stored rows`;
    return { state: 'altered', kind: 'verification', says, hint: 'To see them: macro mirror verify' };
  }
  const failed = lastRun && failedTracks(lastRun, states);
  if (lastRun && failed) {
    const why = lastRun.problem ?? 'it ended without a word';
    const what = lastRun.outcome === 'failed' ? 'failed' : `failed for ${failed.slice(0, 3).join(', ')}`;
    const says = `the sync of ${instantText(lastRun.started)} ${what}: ${why}`;
    const again = states.length === 0 ? `macro sync ${lastRun.words}` : 'macro sync';
    return { state: 'failed', kind: 'upstream', says, hint: `To see why: macro doctor. To try again: ${again}` };
  }
  if (states.length === 0) {
    const hint = 'To track something: macro track add fx eur usd, calendar usd';
    return { state: 'untracked', kind: 'usage', says: 'nothing is tracked, so there is nothing to check', hint };
  }
  if (!mirror.open) {
    const says = `there is no mirror at ${mirror.path}`;
    return { state: 'unreadable', kind: 'mirror', says, hint: MIRROR_GONE };
  }
  const open = states.filter(({ series, storedCount, gaps }) => storedCount < series || gaps > 0);
  if (open.length > 0) return { state: 'missing', kind: 'incomplete', says: named(open, 'missing dates'), hint: SYNC };
  const late = states.filter(({ stale }) => stale > 0);
  const oldest = Math.min(...states.flatMap(({ checkedAt }) => checkedAt ?? []));
  const ago = agoText(oldest, now);
  if (late.length > 0)
    return { state: 'stale', kind: 'stale', hint: SYNC, says: `${named(late, 'stale')}, oldest check ${ago}` };
  const silent = states.find(({ silence }) => silence !== undefined);
  if (silent) {
    const says = `the publisher of ${silent.selection} is silent: ${silent.silence}`;
    return { state: 'silent', kind: 'stale', says, hint: 'Its file may have moved: macro doctor --publishers' };
  }
  const [series, recent] = [sumOf(states, 'series'), sumOf(states, 'recent')];
  const whole =
    recent === 0 ? `${series} series whole` : `${series} series, ${recent} of them for ${KEYLESS_DAYS} days`;
  return {
    state: 'ok',
    says: `${states.length} tracked, ${whole}, oldest check ${ago}, ${verified ? `verified ${agoText(verified.at, now)}` : 'never verified'}`,
  };
}

function sumOf(states: readonly TrackState[], member: 'series' | 'recent'): number {
  return states.reduce((sum, one) => sum + one[member], 0);
}

function agoText(at: number, now: number): string {
  return `${waitText(Math.max(0, (now - at) / 1000))} ago`;
}

/** Names of tracked series that a run failed for, none where it failed as a whole; undefined where it did not fail. */
export function failedTracks(
  { outcome, failed }: SyncRun,
  states: readonly TrackState[],
): readonly string[] | undefined {
  const targets = states.flatMap((state) => state.targets);
  // A feed that nobody tracks fails only where the service as a whole does.
  const tracked = new Set([
    ...states.map(({ selection }) => selection),
    ...[...targets, ...impliedFeeds(targets)].map(targetName),
  ]);
  const names = failed.filter((name) => tracked.has(name));
  // A sync of untracked words that somebody typed once is left out.
  if (names.length > 0) return names;
  return outcome === 'failed' && (failed.length === 0 || states.length === 0) ? [] : undefined;
}

function named(states: readonly TrackState[], what: string): string {
  return `${namesText(states.map(({ selection }) => selection))} ${states.length === 1 ? 'is' : 'are'} ${what}`;
}

/** Reads everything from mirror, ledger and scheduler. `maxAge`: milliseconds after which a series counts as stale; its own freshness when left out. */
export async function readStatus(app: App, maxAge?: number): Promise<StatusReport> {
  const mirror = await mirrorState(app);
  const states = await statesOf(app, mirror.open, maxAge);
  return {
    mirror,
    states,
    lastRun: (await mirror.open?.runs(1))?.[0],
    verified: mirror.open && (await lastVerified(app, mirror.open)),
    due: await dueState(app, mirror.open, states),
    scheduled: await scheduleState(app),
    ...(await quotaState(app)),
  };
}

async function mirrorState(app: App): Promise<MirrorState> {
  const path = app.settings.mirror.value;
  const bytes = app.platform.files.size(path);
  const read = async (): Promise<MirrorState> => {
    const open = (await app.mirrorIfAny())?.mirror;
    return { path, bytes, open, problem: open ? undefined : 'there is none yet', error: undefined };
  };
  return unlessRefused(read, (error) => ({ path, bytes, open: undefined, problem: error.message, error }));
}

/** Without a service nobody is asked; stored rows still answer. */
function askerOf(app: App) {
  const { value: baseUrl } = app.settings.baseUrl;
  if (baseUrl === undefined) return { service: '', access: 'keyless' } as const;
  return { service: baseUrlOrigin(baseUrl), access: accessWith(app.platform, app.settings, baseUrl) };
}

async function statesOf(app: App, mirror: Mirror | undefined, maxAge: number | undefined) {
  const { clock } = app.platform;
  const { value: tracks, from } = app.settings.tracks;
  const options = { mirror, asker: askerOf(app), clock, maxAge };
  const { splitSelections } = await import('../app/publishers.ts');
  const split = await takenLater(from, (async () => tracks.map((words) => splitSelections(app, [words])))());
  const words = tracks.filter((_, place) => split[place]?.units.length === 0);
  const ofService = await takenLater(from, overviewsOf(words, options));
  const ofFiles = new Map<string, TrackState>();
  for (const [place, { units }] of split.entries())
    if (units.length > 0) {
      const selection = tracks[place] ?? '';
      ofFiles.set(selection, await fileState(selection, units, { mirror, now: clock.now(), maxAge }));
    }
  return tracks.flatMap((words) => ofFiles.get(words) ?? ofService.find(({ selection }) => selection === words) ?? []);
}

/** Stored files are stale if a new state went unchecked for longer than this. */
const FILE_AGE_MS = 86_400_000;

/** How the files of a selection stand. A unit that was never fetched counts as one series that is not stored. */
async function fileState(
  selection: string,
  units: readonly FetchUnit[],
  { mirror, now, maxAge }: { mirror: Mirror | undefined; now: number; maxAge: number | undefined },
): Promise<TrackState> {
  const { unitOverviews } = await import('../app/publishers.ts');
  const all = await unitOverviews(mirror, units, now);
  const checks = all.flatMap(({ checkedAt }) => checkedAt ?? []);
  const stored = all.flatMap(({ series }) => series);
  const isStale = ({ checkedAt, missedSince }: (typeof all)[number]) =>
    checkedAt !== undefined &&
    (maxAge === undefined ? now - (missedSince ?? now) > FILE_AGE_MS : now - checkedAt > maxAge);
  return {
    ...{
      selection,
      targets: [],
      stored,
      series: stored.length + all.length - checks.length,
      storedCount: stored.length,
    },
    checkedAt: checks.length > 0 ? Math.min(...checks) : undefined,
    ...{ wholeAt: undefined, freshUntil: undefined },
    due: all.reduce((sum, { due }) => sum + due.length, 0),
    stale: all.filter(isStale).length,
    ...{ gaps: 0, locked: 0, recent: 0 },
    nextAt: Math.min(...all.map((one) => one.nextAt)),
    silence: all.find(({ silence }) => silence !== undefined)?.silence,
  };
}

/** When the tracked selections have something to do next; at once when something is due. */
async function dueState(
  app: App,
  mirror: Mirror | undefined,
  states: readonly TrackState[],
): Promise<StatusReport['due']> {
  const now = app.platform.clock.now();
  const targets = states.flatMap((state) => state.targets);
  const ofFiles = states.flatMap(({ nextAt }) => nextAt ?? []);
  if (states.length > 0 && (!mirror || states.some(({ due }) => due > 0))) return { at: now, release: undefined };
  const first = ofFiles.length > 0 ? Math.min(...ofFiles) : undefined;
  const ends = states.flatMap((state) => state.freshUntil ?? []);
  const freshUntil = ends.length > 0 ? Math.min(...ends) : undefined;
  if (targets.length === 0 || !mirror) return { at: first, release: undefined };
  const { at, release } = await nextDue({ reader: mirror, asker: askerOf(app), targets, now, freshUntil });
  if (first !== undefined && first < at) return { at: first, release: undefined };
  return { at, release: release && `${release.currency} ${release.indicator}` };
}

/** Who runs a sync by itself, and when next. A scheduler that cannot be read has none that counts. */
async function scheduleState(app: App): Promise<StatusReport['scheduled']> {
  const found = await unlessRefused(
    () => scheduleEntries(app),
    () => [],
  );
  return found.map(({ scheduler, entry }) => ({ scheduler: scheduler.name, next: entry.next }));
}

async function quotaState(app: App): Promise<Pick<StatusReport, 'budgets' | 'heldUntil'>> {
  const { value: baseUrl } = app.settings.baseUrl;
  if (baseUrl === undefined) return { budgets: [], heldUntil: undefined };
  const now = app.platform.clock.now();
  const account = await readAccount(app, baseUrl);
  return { budgets: readBudgets(account, now), heldUntil: blockedUntil(account, now) };
}
