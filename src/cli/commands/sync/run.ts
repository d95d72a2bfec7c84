import type { Priority } from '../../../client/quota/account.ts';
import { MIRROR_INCOMPLETE } from '../../../contract/answer-members.ts';
import { isoSeconds } from '../../../contract/time/time.ts';
import announcements from '../../../endpoints/announcements/series.ts';
import calendar from '../../../endpoints/calendar/calendar.ts';
import { ENDPOINTS } from '../../../endpoints/index.ts';
import { type ErrorKind, MacroError, unlessRefused } from '../../../errors.ts';
import type { FollowJournalOptions } from '../../../events/follow.ts';
import type { Subject } from '../../../mirror/api/journal.ts';
import type { Mirror, MirrorState } from '../../../mirror/api/mirror.ts';
import { holderName } from '../../../platform/schedule/scheduler.ts';
import {
  joinReports,
  type SeriesProblem,
  type SeriesReport,
  type SyncReport,
  summarizeRun,
} from '../../../sync/report.ts';
import { inSession, runSync } from '../../../sync/run.ts';
import { nextDue, sleepUntil } from '../../../sync/series/due.ts';
import { expandWords, type SyncTarget } from '../../../sync/series/select.ts';
import type { SyncProgress } from '../../../sync/work.ts';
import { type App, formatFor, type LiveHandle } from '../../app/app.ts';
import { takenLater } from '../../app/settings.ts';
import { isOn } from '../../parse/options.ts';
import { readSpending } from '../../parse/spending.ts';
import { openProgressBar, quotaLeft } from '../../print/progress-bar.ts';
import { namesText } from '../../print/text.ts';
import { noteBinding } from '../endpoint/answer-question.ts';
import { notConfigured, type SyncOptionsTyped } from './sync.ts';

const SPARE = ['unchanged', 'vanished', 'code'] as const;

interface Watch extends Pick<SyncOptionsTyped, 'words' | 'units'> {
  readonly once: () => Promise<SyncReport>;
  readonly mirror: Mirror;
  /** Undefined where publishers alone are asked. */
  readonly live: LiveHandle | undefined;
}

interface Run extends SyncOptionsTyped {
  /** The command that makes it, for whoever finds the lock taken; `macro sync` itself when left out. */
  readonly by?: string;
  /** Undefined where publishers alone are asked. */
  readonly live: LiveHandle | undefined;
  readonly mirror: Mirror;
  /** The same command has run before: a publisher is asked again only for files that are due. */
  readonly isRepeated?: boolean;
  /** Notes of earlier runs: watchers hear each once. */
  readonly noted?: Set<string>;
}

/** One run under the lock: the catalogues that the words need first, then everything that they mean. */
export async function runOnce(app: App, run: Run): Promise<SyncReport> {
  const { words, units = [], mirror, noted = new Set(), by } = run;
  const { clock } = app.platform;
  const expand = () => expandWords(words, { endpoints: ENDPOINTS, mirror, now: clock.now() });
  const named = [...words, ...units.map(({ name }) => name)].join(', ');
  const holder = [by, holderName(app.platform)].filter(Boolean).join(', ');
  const session = { mirror, clock, holder, words: named, wait: lockWaitOf(app) };
  // Words that mean nothing are refused before anything is done.
  const first = await takenLater(run.from, expand());
  const note = async (sentence: string) => {
    if (!noted.has(sentence)) await app.note(sentence, 'about_sync');
    noted.add(sentence);
  };
  for (const one of first.notes) await note(one);
  const work = async () => {
    if (units.length === 0) return syncService();
    const { syncPublishers } = await import('./publishers.ts');
    const { mirror: to, isRepeated, ...ask } = run;
    const asked = isRepeated ? { units, mirror: to } : { ...ask, units, mirror: to };
    const files = await syncPublishers(app, { ...asked, bar: openProgressBar(app, app.platform.clock) });
    return run.live && !files.end ? joinReports(files, await syncService()) : files;
  };
  const syncService = async () => {
    const shown = runBar(app);
    if (first.catalogues.length === 0) return syncTargets(app, { run, show: shown('targets') }, first.targets);
    const catalogueReport = await syncTargets(app, { run, show: shown('catalogues') }, first.catalogues);
    // A catalogue that cannot be had leaves out the indicators of its currency, and nothing else.
    if (catalogueReport.end) return catalogueReport;
    const { targets } = await expand();
    return joinReports(catalogueReport, await syncTargets(app, { run, show: shown('targets') }, targets));
  };
  const report = await noteBinding(app, () => inSession(session, work));
  for (const { name, notes } of report.series) for (const one of notes) await note(`${name}: ${one}`);
  return report;
}

async function syncTargets(
  app: App,
  { run, show }: { run: Run; show: (progress: SyncProgress) => void },
  targets: readonly SyncTarget[],
): Promise<SyncReport> {
  const { live, mirror, maxAge, check, full } = run;
  if (!live) return summarizeRun({ series: [], skipped: 0 });
  return runSync({
    ...{ client: live.client, mirror, clock: app.platform.clock, targets, signal: app.signal },
    ...{ maxAge, check, full, onProgress: show },
  });
}

/** Shows how far a run has come: its requests and rows go on behind those of the part before it. */
function runBar(app: App): (part: 'catalogues' | 'targets') => (progress: SyncProgress) => void {
  const bar = openProgressBar(app, app.platform.clock);
  const quota = quotaLeft(app);
  let before = { requests: 0, rows: 0 };
  let now = before;
  return (part) => {
    before = now;
    return ({ name, share, requests, rows, seen }) => {
      now = { requests: before.requests + requests, rows: before.rows + Math.max(rows, seen) };
      bar.show({ ...now, quota: quota(), what: name, ...(part === 'targets' && { share }) });
    };
  };
}

/** How long a sync of another program is waited for: only where somebody said so. */
function lockWaitOf(app: App) {
  const { isTyped, maxWait } = readSpending(app.options, 'background');
  const onWait = (why: MacroError) => app.note(`${why.message} This one begins after it.`, 'sync_waits');
  return { patience: isTyped ? maxWait : 0, signal: app.signal, onWait };
}

/** The service to sync from, for a person or a run in the background. @throws MacroError of kind `auth`. */
export async function requireLive(app: App, priority: Priority): Promise<LiveHandle> {
  if (app.settings.baseUrl.value === undefined) throw notConfigured();
  // Nothing is requested that could not be stored.
  await app.writable();
  const live = await app.live(priority);
  if (live) return live;
  throw notConfigured();
}

/** A publisher whose file could not be had is not asked again sooner. */
const PUBLISHERS_PAUSE_MS = 3_600_000;

/** Kinds of failure that a later run may not meet any more. */
const PASSING: ReadonlySet<ErrorKind> = new Set(['upstream', 'incomplete', 'quota', 'busy', 'protocol']);

/** True for a failure that may pass. Asking again does not bring rows that a mirror behind the service misses. */
export function mayPass({ kind, code }: MacroError): boolean {
  return PASSING.has(kind) && code !== MIRROR_INCOMPLETE;
}

/** The failure of a run, another run's lock included; undefined if all of it went well. */
function failureIn(run: () => Promise<SyncReport>): Promise<MacroError | undefined> {
  return unlessRefused(
    async () => failureOf(await run()),
    (error) => {
      if (error.kind === 'busy') return error;
      throw error;
    },
  );
}

/** The same of a run for series that are needed, all of them: what no later run can mend of one is what went wrong. */
export function failureInAny(run: () => Promise<SyncReport>): Promise<MacroError | undefined> {
  return failureIn(async () => {
    const report = await run();
    const lost = report.series.find(({ problem }) => problem && !PASSING.has(problem.kind))?.problem;
    return lost ? { ...report, kind: lost.kind } : report;
  });
}

/** Syncs whenever something is due, until interrupted. Waits for quota; unlocks while asleep; ends at permanent failures. */
export async function watch(app: App, { once, mirror, live, words, units = [] }: Watch): Promise<never> {
  const { clock } = app.platform;
  const onceTold = async () => {
    const report = await once();
    await printReport(app, report);
    return report;
  };
  for (;;) {
    const failure = await failureIn(onceTold);
    if (failure && !PASSING.has(failure.kind)) throw failure;
    if (failure) await app.warn(failure.message, 'sync_failed');
    const now = clock.now();
    const { targets } = await expandWords(words, { endpoints: ENDPOINTS, mirror, now });
    const due = live && (await nextDue({ reader: mirror, asker: live.client, targets, now }));
    const overviews =
      units.length === 0 ? [] : await (await import('../../app/publishers.ts')).unitOverviews(mirror, units, now);
    // Files are still due if the run failed or the publisher is late.
    const moments = overviews.map(({ due: open, nextAt }) => (open.length > 0 ? now + PUBLISHERS_PAUSE_MS : nextAt));
    const next = Math.min(due?.at ?? Number.POSITIVE_INFINITY, ...moments);
    const at = Math.max(next, now + (failure?.retryAfter ?? 0) * 1000);
    const what = due?.release ? ` for ${due.release.currency} ${due.release.indicator}` : '';
    const isBlind = due && !due.release && (await mirror.find({ endpoint: calendar.id, scope: {} })).length === 0;
    const why = isBlind ? ' The mirror has no calendar of releases; macro track add calendar usd adds one.' : '';
    await app.note(`Next check at ${isoSeconds(Math.ceil(at / 1000))}${what}.${why}`, 'next_look');
    await sleepUntil(clock, at, app.signal);
  }
}

/** Prints what a run did: a row for each series that was asked; under `--quiet` one line, or one JSON object. */
export async function printReport(app: App, report: SyncReport): Promise<void> {
  const { outcome, requests, skipped } = report;
  const series = requestedOf(report);
  const requested = report.series.filter(wasAsked);
  const fresh = series.filter((one) => !wasAsked(one)).length;
  const beside = { outcome, requests, rows: report.rows, series: series.length, fresh, skipped };
  if (isOn(app.options, 'quiet')) {
    await warnOfFailed(app, report);
    return app.printText(formatFor(app) === 'json' ? JSON.stringify(beside) : summaryOf(report, fresh));
  }
  const rows = requested.map(({ name, outcome: of, requests: spent, rows: counts, problem }) => ({
    series: name,
    outcome: of,
    requests: spent,
    ...counts,
    code: problem?.code ?? null,
    problem: problem ? [problem.message, problem.hint].filter(Boolean).join(' ') : null,
  }));
  const title = [`Sync ${outcome}`, counted(requests, 'request'), ...(fresh > 0 ? [`${fresh} series up to date`] : [])];
  await app.list({ spare: SPARE, rows, title, beside });
}

/** An answer may have cost nothing. */
function wasAsked({ requests, outcome, rows }: SeriesReport): boolean {
  return requests > 0 || outcome !== 'complete' || Object.values(rows).some((count) => count > 0);
}

/** The series that somebody asked for, and a feed that failed them. */
function requestedOf({ series }: SyncReport): readonly SeriesReport[] {
  return series.filter(({ isImplied, outcome }) => !isImplied || outcome !== 'complete');
}

function summaryOf(report: SyncReport, fresh: number): string {
  const { outcome, requests, rows, skipped } = report;
  const { added, revised, vanished } = rows;
  const series = requestedOf(report);
  const open = series.filter((one) => one.outcome !== 'complete').length + skipped;
  const state = open === 0 ? '' : `, ${open} not complete`;
  const read = series.length + skipped - open - fresh;
  return `sync ${outcome}: ${read} series read, ${fresh} up to date already${state}, ${counted(requests, 'request')}, ${added} new, ${revised} revised, ${vanished} withdrawn`;
}

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

/** The error whose exit code tells how an incomplete run ended; undefined for a complete run. */
export function failureOf(report: SyncReport): MacroError | undefined {
  const { kind, outcome, skipped, end } = report;
  if (outcome === 'complete' && kind === undefined) return undefined;
  const series = requestedOf(report);
  const problems = series.flatMap(({ name, problem }) => (problem ? [{ name, problem }] : []));
  const [first] = problems;
  const open = series.filter((one) => one.outcome !== 'complete').length + skipped;
  const what = `${open} of ${series.length + skipped} series ${open === 1 ? 'is' : 'are'} not complete`;
  const hints = new Set(problems.map(({ problem }) => problem.hint));
  // Without a key, a further run ends where this one did.
  const key = problems.find(({ problem }) => problem.kind === 'auth')?.problem.hint;
  // Rows that the service itself misses are one reason, for any number of series.
  const isOne = problems.length === 1 || problems.every(({ problem }) => problem.code === MIRROR_INCOMPLETE);
  const one = isOne ? first : undefined;
  const named = one && problems.length === 1 ? problemText(one) : one?.problem.message;
  const reason = end?.message ?? named ?? (namesOf(problems) || outcome);
  const isFinal = kind === 'usage' || kind === 'notFound';
  return new MacroError(kind ?? 'incomplete', `${what}: ${reason}`, {
    hint: end?.hint ?? (hints.size === 1 ? first?.problem.hint : key) ?? (isFinal ? NAME_OTHERS : RUN_AGAIN),
    code: problems.some(({ problem }) => problem.code === MIRROR_INCOMPLETE) ? MIRROR_INCOMPLETE : undefined,
    retryAfter: end?.retryAfter,
  });
}

const RUN_AGAIN = 'Run it again: it continues where it stopped.';
const NAME_OTHERS = 'Name other series: the service has none under these words, now and in a further run.';

/** Names that one sentence has at most. */
const MAX_NAMES = 10;

interface NamedProblem {
  readonly name: string;
  readonly problem: SeriesProblem;
}

function namesOf(problems: readonly NamedProblem[]): string {
  const names = problems.map(({ name, problem }) => `${name} (${problem.code})`);
  return names.length === 0 ? '' : `${namesText(names, MAX_NAMES)}.`;
}

function problemText({ name, problem: { code, message } }: NamedProblem): string {
  return `${name}: ${message} (${code})`;
}

/** Names each series that failed on stderr, with its reason and its code; where it is only one, the error does so. */
async function warnOfFailed(app: Pick<App, 'warn'>, { series }: SyncReport): Promise<void> {
  const problems = series.flatMap(({ name, problem }) => (problem ? [{ name, problem }] : []));
  if (problems.length > 1) for (const one of problems) await app.warn(problemText(one), 'series_failed');
}

interface Fetching extends Pick<FollowJournalOptions, 'after' | 'signal'> {
  readonly mirror: Mirror;
  /** The command that fetches. */
  readonly by: string;
  /** The service to ask; opened when the first series is due. */
  readonly live: () => Promise<LiveHandle | undefined>;
  /** Nothing more will come: due series are fetched, then it ends. */
  readonly isOver: () => boolean;
}

/** Milliseconds between two checks for due series: releases of one moment are one run. */
const LOOK_INTERVAL_MS = 1_000;
/** Milliseconds until a run that failed is made again. */
const RETRY_INTERVAL_MS = 60_000;

/** Fetches mirrored series that new events name. Failures are noted and tried again; events never wait. */
export async function fetchDue(app: App, fetching: Fetching): Promise<void> {
  const { mirror, signal, isOver } = fetching;
  const { clock } = app.platform;
  const events = newsOf(fetching);
  const due = new Map<string, Subject>();
  let notBefore = 0;
  for (let isLast = false; !isLast; ) {
    if (!isOver()) await clock.sleep(LOOK_INTERVAL_MS, signal);
    isLast = isOver();
    for (const subject of await events()) due.set(`announcements ${subject.currency} ${subject.indicator}`, subject);
    if (due.size === 0 || (clock.now() < notBefore && !isLast)) continue;
    const subjects = await heldOf(mirror, due);
    due.clear();
    const failure = subjects.length === 0 ? undefined : await fetchNow(app, fetching, subjects);
    if (!failure || isLast) continue;
    for (const [selection, subject] of subjects) due.set(selection, subject);
    notBefore = clock.now() + Math.max(RETRY_INTERVAL_MS, (failure.retryAfter ?? 0) * 1000);
    await app.note(
      `${failure.message} It is tried again at ${isoSeconds(Math.ceil(notBefore / 1000))}.`,
      'fetch_later',
    );
  }
}

/** Tells what came since it was last asked. */
function newsOf({ mirror, after }: Pick<Fetching, 'mirror' | 'after'>): () => Promise<readonly Subject[]> {
  let seen: MirrorState | undefined;
  let position = after;
  return async () => {
    const state = await mirror.look();
    const subjects = state === seen ? [] : await mirror.journal.subjects(position);
    seen = state;
    position = subjects.at(-1)?.position ?? Math.min(position, await mirror.journal.newest());
    return subjects;
  };
}

type Due = readonly (readonly [selection: string, subject: Subject])[];

async function heldOf(mirror: Mirror, due: ReadonlyMap<string, Subject>): Promise<Due> {
  const subjects: (readonly [string, Subject])[] = [];
  for (const one of [...due]) {
    const [, { origin, currency, indicator }] = one;
    const scope = { currency: currency.toUpperCase(), indicator };
    const found = await mirror.find({ endpoint: announcements.id, scope, exact: true });
    if (found.some((series) => series.origin === origin)) subjects.push(one);
  }
  return subjects;
}

/** One run. A failure that would come again is reported and left to `macro sync`: events go on without it. */
async function fetchNow(app: App, { mirror, live, by }: Fetching, due: Due): Promise<MacroError | undefined> {
  const handle = await live();
  if (!handle) return undefined;
  const words = due.map(([selection]) => selection).join(', ');
  const tell = async ({ message }: MacroError): Promise<undefined> =>
    void (await app.warn(`The series of new events cannot be fetched: ${message}`, 'fetch_failed'));
  return unlessRefused(async () => {
    const failure = await failureInAny(() => runOnce(app, { words: [words], live: handle, mirror, by }));
    return failure && !mayPass(failure) ? tell(failure) : failure;
  }, tell);
}
