// `macro status`: how what is tracked stands, for people and programs.
import { waitText } from '../../../client/text.ts';
import type { SyncRun } from '../../../mirror/api/mirror.ts';
import type { BudgetLeft } from '../../../state/budgets.ts';
import type { SelectionState } from '../../../sync/overview.ts';
import type { App } from '../../app/app.ts';
import { instantText } from '../../messages/instant.ts';
import { listOwn } from '../../output/own-listing.ts';
import { readDuration } from '../../parse/durations.ts';
import { isOn, textOption } from '../../parse/options.ts';
import type { Call } from '../command.ts';
import { readStatus, type StatusReport } from './read-status.ts';
import { printVerdict } from './status-check.ts';

const COLUMNS = ['selection', 'state', 'series', 'held', 'due', 'gaps', 'checked'] as const;
/** Left out of a narrow table, the first one first. */
const SPARE = ['held', 'series'] as const;

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
