import { join } from 'node:path';
import { blockedUntil, readBudgets } from '../../../client/quota/budgets.ts';
import { dateOf, isoSeconds } from '../../../contract/time/time.ts';
import { ENDPOINTS } from '../../../endpoints/index.ts';
import { MacroError } from '../../../errors.ts';
import type { Mirror } from '../../../mirror/api/mirror.ts';
import type { KeyValue } from '../../../mirror/api/series.ts';
import { holderName, schedulerOf } from '../../../platform/schedule/scheduler.ts';
import { type Cost, costOf, type PlannedBudget } from '../../../sync/plan/budgets.ts';
import { estimateStep, typicalIndicatorRequests } from '../../../sync/plan/estimate.ts';
import type { PlannedRequest } from '../../../sync/plan/step.ts';
import type { SyncReport } from '../../../sync/report.ts';
import { planTargets } from '../../../sync/run.ts';
import { nextDue, sleepUntil } from '../../../sync/series/due.ts';
import { expandWords, ofEverything, targetName } from '../../../sync/series/select.ts';
import type { Asker } from '../../../sync/series/states.ts';
import type { App, LiveHandle } from '../../app/app.ts';
import { readAccount, serviceOptions } from '../../app/service.ts';
import { takenLater } from '../../app/settings.ts';
import { isOn, type Options, textOption } from '../../parse/options.ts';
import { LOG_FORMATS, type LogFacts, logLine, logWriter, readLogFormat } from '../../print/lines.ts';
import { listOwn } from '../../print/listing.ts';
import type { Call } from '../command.ts';
import { failureOf, printReport } from './report.ts';
import { failureIn, notConfigured, PASSING, requireLive, runOnce, type SyncOptionsTyped } from './run.ts';

// The log of sync runs: one line for each event, in a file that is rotated.
interface Watch {
  readonly once: () => Promise<SyncReport>;
  readonly mirror: Mirror;
  readonly live: LiveHandle;
  readonly words: readonly string[];
}

/** Takes the events of runs. */
interface RunLog {
  started(words: string): void;
  ended(report: SyncReport): void;
  /** An error that ended the command. */
  failed(error: unknown): void;
}

type Level = 'info' | 'warning' | 'error';

const COLUMNS = ['reason', 'series', 'from', 'to', 'requests', 'more', 'why'] as const;
/** Left out of a narrow table, the first one first. */
const SPARE = ['reason', 'from', 'to'] as const;

/**
 * Brings the named series, or the tracked ones, up to date. What it could not finish the next run continues. Named series
 * are asked in any case; of the tracked ones only those that are due.
 */
export async function sync(app: App, call: Call): Promise<void> {
  const log = openRunLog(app, call.options);
  try {
    await syncLogged(app, call, log);
  } catch (error) {
    log?.failed(error);
    throw error;
  }
}

async function syncLogged(app: App, call: Call, log: RunLog | undefined): Promise<void> {
  const words = wordsOf(app, call);
  for (const warning of app.settings.warnings) await app.warn(warning, 'settings');
  if (isOn(call.options, 'everything'))
    await app.note(
      'Fair use asks to fetch what is needed: track what you read, and leave --everything to few runs.',
      'fair_use',
    );
  if (isOn(call.options, 'plan') || app.isDryRun) return printPlan(app, { ...words, client: await silentClient(app) });
  const live = await requireLive(app, 'background');
  const mirror = await app.writable();
  const noted = new Set<string>();
  const once = async () => {
    log?.started(words.words.join(' '));
    const done = await runOnce(app, { ...words, live, mirror, noted });
    log?.ended(done);
    return done;
  };
  if (isOn(call.options, 'watch')) return watch(app, { once, mirror, live, words: words.words });
  const report = await once();
  await printReport(app, report);
  const failure = failureOf(report);
  if (failure) throw failure;
}

function wordsOf(app: App, { words, options }: Call): SyncOptionsTyped {
  const check = isOn(options, 'check') ? ({ check: true } as const) : {};
  if (isOn(options, 'everything')) return { words: joined(ofEverything(ENDPOINTS)), ...check };
  if (words.length > 0) return { words, maxAge: 0, ...check };
  const { value: tracks, from } = app.settings.tracks;
  if (tracks.length > 0) return { words: joined(tracks.map((track) => [track])), from, ...check };
  throw new MacroError('usage', 'Nothing is named and nothing is tracked.', {
    hint: 'Name series, as in macro sync fx eur usd, or keep some: macro track add fx eur usd, calendar usd.',
  });
}

const joined = (selections: readonly (readonly string[])[]) => [selections.map((words) => words.join(' ')).join(', ')];

/**
 * A client that is not asked: it knows whose answers it would bring.
 * @throws MacroError of kind `auth`.
 */
export async function silentClient(app: App) {
  const options = serviceOptions(app);
  if (!options) throw notConfigured();
  return (await import('../../../client/create.ts')).createClient(options);
}

/**
 * Syncs, sleeps until something is due, and syncs again, until it is interrupted. The lock is free while it sleeps. A spent
 * quota is waited for; what no later run can mend ends it.
 */
async function watch(app: App, { once, mirror, live, words }: Watch): Promise<never> {
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
    const due = await nextDue({ reader: mirror, asker: live.client, targets, now });
    const at = Math.max(due.at, now + (failure?.retryAfter ?? 0) * 1000);
    const what = due.release ? ` for ${due.release.currency} ${due.release.indicator}` : '';
    await app.note(`Next look at ${isoSeconds(Math.ceil(at / 1000))}${what}.`, 'next_look');
    await sleepUntil(clock, at, app.signal);
  }
}

/** The log that was asked for; that of the schedule where a scheduler began the run; undefined where there is none. */
function openRunLog(app: App, options: Options): RunLog | undefined {
  const format = readLogFormat(textOption(options, 'log-format'), LOG_FORMATS);
  const target = textOption(options, 'log') ?? (schedulerOf(app.platform.env) ? scheduleLogPath(app) : undefined);
  if (target === undefined) return undefined;
  const put = logWriter(app, target, 'run_log');
  const write = (level: Level, event: string, facts: LogFacts) =>
    put(logLine(format, { time: timeOf(app), level, event, ...facts }));
  return {
    started: (words) => write('info', 'run_started', { words, holder: holderName(app.platform.pid, app.platform.env) }),
    ended(report) {
      for (const one of report.series) {
        const { name, outcome, requests, rows, problem } = one;
        if (requests === 0 && outcome === 'complete') continue;
        const facts = { series: name, outcome, requests, added: rows.added, revised: rows.revised };
        const trouble = problem && { code: problem.code, problem: problem.message };
        write(outcome === 'complete' ? 'info' : 'warning', 'series', { ...facts, ...trouble });
      }
      const { outcome, requests, rows, series, skipped } = report;
      const facts = { outcome, requests, added: rows.added, revised: rows.revised, vanished: rows.vanished };
      const level = outcome === 'complete' ? 'info' : 'warning';
      write(level, 'run_ended', { ...facts, tried: series.length, skipped });
    },
    failed(error) {
      const known = error instanceof MacroError ? error : undefined;
      const problem = known?.message ?? (error instanceof Error ? error.message : String(error));
      write('error', 'failed', { kind: known?.kind ?? 'internal', code: known?.code, problem, hint: known?.hint });
    },
  };
}

/** Where runs are written down that a scheduler begins. */
function scheduleLogPath({ settings }: App): string {
  return join(settings.folders.state, 'sync.log');
}

const timeOf = ({ platform }: App) => isoSeconds(Math.floor(platform.clock.now() / 1000));

/** Prints what a run would ask for, in order, what it costs and what it leaves. Contacts nobody. */
async function printPlan(app: App, request: SyncOptionsTyped & { readonly client: Asker }): Promise<void> {
  const { words, client, maxAge, check } = request;
  const { clock } = app.platform;
  const mirror = (await app.mirrorIfAny())?.mirror;
  const expanding = expandWords(words, { endpoints: ENDPOINTS, mirror, now: clock.now() });
  const expanded = await takenLater(request.from, expanding);
  const { catalogues, targets, unknown, notes } = expanded;
  for (const note of notes) await app.note(note, 'about_plan');
  for (const currency of unknown)
    await app.note(
      `Which indicators ${currency} has is known once its catalogue is held: until then their requests are a guess.`,
      'catalogue_missing',
    );
  const options = { clock, mirror, client, ...(maxAge !== undefined && { maxAge }), ...(check && { check }) };
  const planned = [
    ...(await planTargets({ ...options, targets: catalogues })),
    ...(await planTargets({ ...options, targets })),
  ];
  const asking = { mirror, asker: client, now: clock.now() };
  const rows: PlanRow[] = [];
  for (const step of planned) rows.push(rowOf(step, await estimateStep(step, asking)));
  rows.push(...unknown.map(unknownRow));
  const atLeast = planned.reduce((sum, step) => sum + step.requests, 0);
  const requests = rows.reduce((sum, row) => sum + row.requests, 0);
  const open = planned.filter((step) => step.open).length + unknown.length;
  const cost = await costNow(app, requests);
  const count = catalogues.length + targets.length;
  const about = open > 0 ? 'about ' : '';
  const title = [`Plan: ${about}${requests} ${requests === 1 ? 'request' : 'requests'}`];
  title.push(`${count} series`, cost.seconds === 0 ? 'at once' : `${cost.seconds} s of waiting for budgets`);
  await app.print(
    listOwn({
      columns: COLUMNS,
      spare: SPARE,
      rows,
      title: [...title, ...cost.budgets.map(({ window, after, limit }) => `${window}: ${after} of ${limit} left`)],
      beside: { requests, at_least: atLeast, open, series: count, seconds: cost.seconds, budgets: cost.budgets },
    }),
  );
}

/** By the budgets that have a window, as `macro quota` shows them. */
async function costNow(app: App, requests: number): Promise<Cost> {
  const { value: baseUrl } = app.settings.baseUrl;
  const now = app.platform.clock.now();
  if (baseUrl === undefined) return costOf(requests, [], { now, heldUntil: undefined });
  const account = await readAccount(app, baseUrl);
  const budgets = readBudgets(account, now).flatMap(
    ({ budget, limit, left, leftForBackground, resetsAt }): PlannedBudget[] => {
      const window = WINDOWS.find((name) => name === budget);
      return window ? [{ window, limit, left, leftForRun: leftForBackground, resetsAt }] : [];
    },
  );
  return costOf(requests, budgets, { now, heldUntil: blockedUntil(account, now) });
}

const WINDOWS = ['minute', 'hour', 'day', 'month'] as const;

type PlanRow = ReturnType<typeof rowOf>;

/** Indicators of a currency whose names are not known yet. */
function unknownRow(currency: string): PlanRow {
  const requests = typicalIndicatorRequests(currency);
  const series = `announcements ${currency.toLowerCase()} ...`;
  return { reason: 'head', series, from: null, to: null, requests, more: ESTIMATED, why: 'its catalogue names them' };
}

const ESTIMATED = 'estimated';

function rowOf(step: PlannedRequest, requests: number) {
  const { target, window, open, why } = step;
  const reason: string = step.reason;
  const more: string | null = open ? ESTIMATED : null;
  return {
    reason,
    series: targetName(target),
    from: window ? dateText(window.from) : null,
    to: window ? dateText(window.to) : null,
    requests,
    more,
    why,
  };
}

function dateText(bound: KeyValue): string {
  return typeof bound === 'number' ? dateOf(bound * 1000) : bound;
}
