// `macro status`: how what is tracked stands, for people and programs.

import type { BudgetLeft } from '../../../client/quota/budgets.ts';
import { waitText } from '../../../client/text.ts';
import { type ErrorKind, EXIT_CODES, MacroError } from '../../../errors.ts';
import type { SyncRun } from '../../../mirror/api/mirror.ts';
import type { SelectionState } from '../../../sync/overview.ts';
import { type App, formatFor } from '../../app/app.ts';
import { isOn, readDuration, textOption } from '../../parse/options.ts';
import { listOwn } from '../../print/listing.ts';
import { instantText } from '../../print/rows.ts';
import type { Call } from '../command.ts';
import { readStatus, type StatusReport } from './read-status.ts';

// `macro status --check`: one line and one exit code for a monitor.
const COLUMNS = ['selection', 'state', 'series', 'held', 'due', 'gaps', 'checked'] as const;
/** Left out of a narrow table, the first one first. */
const SPARE = ['held', 'series'] as const;

/** What a monitor is told. Without a kind everything is well. */
interface StatusVerdict {
  readonly state: 'ok' | 'unreadable' | 'failed' | 'untracked' | 'holes' | 'stale';
  readonly says: string;
  readonly kind?: ErrorKind;
  readonly hint?: string;
}

/**
 * Prints how the tracked selections stand, how the last run ended, when the next one has something to do, and what is left
 * of the quota: from the mirror and the ledger alone. What is wrong is told and is no failure of this command, unless
 * `--check` asks for a verdict.
 */
export async function showStatus(app: App, call: Call): Promise<void> {
  for (const warning of app.settings.warnings) await app.warn(warning, 'settings');
  const age = textOption(call.options, 'max-age');
  const report = await readStatus(app, age === undefined ? undefined : readDuration(age, '--max-age') * 1000);
  if (isOn(call.options, 'check')) return printVerdict(app, report);
  await warnOfMirror(app, report);
  const { mirror, states, lastRun, due, scheduled, budgets, heldUntil } = report;
  const facts: Facts = {
    mirror: { path: mirror.path, bytes: mirror.bytes ?? null, problem: mirror.problem ?? null },
    last_run: lastRun ? runFacts(lastRun) : null,
    next_due: instantText(due.at),
    next_release: due.release ?? null,
    scheduled: scheduled.map(({ scheduler, next }) => ({ scheduler, next: instantText(next) })),
  };
  const listing = listOwn({
    columns: COLUMNS,
    spare: SPARE,
    rows: states.map((state) => rowOf(state)),
    title: [app.settings.baseUrl.value ?? 'no service', tracksText(states)],
    beside: {
      service: app.settings.baseUrl.value ?? null,
      ...facts,
      quota: budgets.map(budgetFacts),
      quota_held_until: instantText(heldUntil),
    },
  });
  const lines = linesOf(app, facts, quotaText(budgets, heldUntil));
  await app.print({ ...listing, view: { title: listing.view?.title ?? [], block: { title: 'Now', lines } } });
}

/** A mirror that cannot be read is worth a warning (rows alone say nothing of it) and no reason to stop. */
async function warnOfMirror(app: App, { mirror: { error } }: StatusReport): Promise<void> {
  if (error) await app.warn([error.message, error.hint ?? ''].join(' ').trim(), error.code ?? 'mirror_unread');
}

function rowOf({ selection, targets, held, due, gaps, checkedAt }: SelectionState) {
  const state = held < targets.length ? 'not all held' : gaps > 0 ? 'has gaps' : due > 0 ? 'due' : 'up to date';
  return { selection, state, series: targets.length, held, due, gaps, checked: instantText(checkedAt) };
}

function tracksText(states: readonly SelectionState[]): string {
  return states.length === 0
    ? 'nothing is tracked: macro track add fx eur usd keeps a series'
    : `${states.length} tracked`;
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

function budgetFacts({ budget, limit, left, resetsAt }: BudgetLeft) {
  return { budget, limit, left, resets_at: instantText(resetsAt) };
}

interface Facts {
  readonly mirror: { readonly path: string; readonly bytes: number | null; readonly problem: string | null };
  readonly last_run: ReturnType<typeof runFacts> | null;
  readonly next_due: string | null;
  readonly next_release: string | null;
  readonly scheduled: readonly { readonly scheduler: string; readonly next: string | null }[];
}

function linesOf(app: App, facts: Facts, quota: string): readonly (readonly [string, string])[] {
  const { mirror, last_run: run, next_due: due, next_release: release, scheduled } = facts;
  const size = mirror.bytes === null ? '' : `, ${(mirror.bytes / 1e6).toFixed(1)} MB`;
  const now = app.platform.clock.now();
  return [
    ['mirror', `${mirror.path}${size}${mirror.problem ? `: ${mirror.problem}` : ''}`],
    ['last run', run ? runText(run, now) : 'none'],
    ['next due', due === null ? 'nothing' : `${due}${release ? ` for ${release}` : ''}`],
    ['scheduled', scheduled.map(({ scheduler, next }) => `${scheduler}, next ${next ?? 'unknown'}`).join('; ') || 'no'],
    ['quota left', quota],
  ];
}

function runText({ started, outcome, requests, problem }: ReturnType<typeof runFacts>, now: number): string {
  const ago = started === null ? '' : ` (${waitText(Math.max(0, (now - Date.parse(started)) / 1000))} ago)`;
  return `${outcome} ${started}${ago}, ${requests} requests${problem ? `: ${problem}` : ''}`;
}

/** Prints the verdict as one line on stdout. @throws MacroError whose exit code is that of the first finding */
async function printVerdict(app: App, report: StatusReport): Promise<void> {
  const { state, says, kind, hint } = judgeStatus(report, app.platform.clock.now());
  const exit = kind === undefined ? 0 : EXIT_CODES[kind];
  const format = formatFor(app);
  const isJson = format === 'json' || format === 'ndjson';
  await app.printText(isJson ? JSON.stringify({ state, exit, message: says }) : `macro ${state}: ${says}`);
  if (kind) throw new MacroError(kind, says, { code: `status_${state}`, ...(hint !== undefined && { hint }) });
}

/** The first that applies: mirror unreadable, last run failed, nothing tracked, holes, stale. */
function judgeStatus({ mirror, lastRun, states }: StatusReport, now: number): StatusVerdict {
  if (mirror.error)
    return {
      ...{ state: 'unreadable', kind: mirror.error.kind, says: mirror.error.message },
      ...(mirror.error.hint !== undefined && { hint: mirror.error.hint }),
    };
  if (lastRun?.outcome === 'failed')
    return {
      ...{ state: 'failed', kind: 'upstream', hint: 'To see why: macro doctor. To try again: macro sync' },
      says: `the sync of ${instantText(lastRun.started)} failed: ${lastRun.problem ?? 'it ended without a word'}`,
    };
  if (states.length === 0)
    return {
      ...{ state: 'untracked', kind: 'usage', says: 'nothing is tracked, so there is nothing to check' },
      hint: 'For example: macro track add fx eur usd, calendar usd',
    };
  const holes = states.filter(({ targets, held, gaps }) => held < targets.length || gaps > 0);
  if (holes.length > 0)
    return { state: 'holes', kind: 'incomplete', hint: 'macro sync', says: named(holes, 'not held as a whole') };
  const late = states.filter(({ stale }) => stale > 0);
  const oldest = Math.min(...states.flatMap(({ checkedAt }) => checkedAt ?? []));
  const age = waitText(Math.max(0, (now - oldest) / 1000));
  if (late.length > 0)
    return { state: 'stale', kind: 'stale', hint: 'macro sync', says: `${named(late, 'stale')}, checked ${age} ago` };
  const series = states.reduce((sum, { targets }) => sum + targets.length, 0);
  return { state: 'ok', says: `${states.length} tracked, ${series} series whole, checked ${age} ago or later` };
}

/** Names in one line at most. */
const MAX_NAMES = 3;

function named(states: readonly SelectionState[], what: string): string {
  const names = states.slice(0, MAX_NAMES).map(({ selection }) => selection);
  const more = states.length - names.length;
  return `${names.join(', ')}${more > 0 ? ` and ${more} more` : ''} ${states.length === 1 ? 'is' : 'are'} ${what}`;
}
