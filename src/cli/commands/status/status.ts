import { waitText } from '../../../client/text.ts';
import { MacroError } from '../../../errors.ts';
import type { Mirror, SyncRun } from '../../../mirror/api/mirror.ts';
import { type BudgetLeft, blockedUntil, readBudgets } from '../../../state/budgets.ts';
import { overviewOf, type SelectionState } from '../../../sync/overview.ts';
import { nextDue } from '../../../sync/series/due.ts';
import type { App } from '../../app/app.ts';
import { readAccount } from '../../app/quota-handle.ts';
import { baseUrlOrigin } from '../../app/settings/base-url.ts';
import { accessWith } from '../../app/settings/keys.ts';
import { takenLater } from '../../app/settings/setting.ts';
import { instantText } from '../../messages/instant.ts';
import { listOwn } from '../../output/own-listing.ts';
import { scheduleEntries } from '../schedule/schedule.ts';

const COLUMNS = ['selection', 'state', 'series', 'held', 'due', 'gaps', 'checked'] as const;

/**
 * Prints how the tracked selections stand, how the last run ended, when the next one has something to do, and what is left
 * of the quota: from the mirror and the ledger alone. What is wrong is told and is no failure of this command.
 */
export async function showStatus(app: App): Promise<void> {
  for (const warning of app.settings.warnings) await app.warn(warning, 'settings');
  const { mirror, problem } = await mirrorOf(app);
  const states = await Promise.all(app.settings.tracks.value.map((words) => stateOf(app, mirror, words)));
  const [run] = (await mirror?.runs(1)) ?? [];
  const facts = {
    mirror: mirrorFacts(app, problem),
    last_run: run ? runFacts(run) : null,
    ...(await dueFacts(app, mirror, states)),
    scheduled: await scheduleFacts(app),
  };
  const { budgets, held } = await quotaOf(app);
  const listing = listOwn({
    columns: COLUMNS,
    rows: states.map((state) => rowOf(state)),
    title: [app.settings.baseUrl.value ?? 'no service', tracksText(states)],
    beside: {
      service: app.settings.baseUrl.value ?? null,
      ...facts,
      quota: budgets.map(budgetFacts),
      quota_held_until: instantText(held),
    },
  });
  const lines = linesOf(app, facts, quotaText(budgets, held));
  await app.print({ ...listing, face: { title: listing.face?.title ?? [], block: { title: 'Now', lines } } });
}

/** The mirror; or why it cannot be read, which is worth a warning (rows alone say nothing of it) and no reason to stop. */
async function mirrorOf(app: App): Promise<{ mirror?: Mirror; problem?: string }> {
  try {
    const mirror = (await app.held())?.mirror;
    return mirror ? { mirror } : { problem: 'there is none yet' };
  } catch (error) {
    if (!(error instanceof MacroError)) throw error;
    await app.warn([error.message, error.hint ?? ''].join(' ').trim(), error.code ?? 'mirror_unread');
    return { problem: error.message };
  }
}

/** Without a service nobody would be asked; what is held is told all the same. */
function askerOf(app: App) {
  const { value: baseUrl } = app.settings.baseUrl;
  if (baseUrl === undefined) return { service: '', access: 'keyless' } as const;
  return { service: baseUrlOrigin(baseUrl), access: accessWith(app.platform, app.settings, baseUrl) };
}

async function stateOf(app: App, mirror: Mirror | undefined, words: string): Promise<SelectionState> {
  const reading = overviewOf(words, { mirror, asker: askerOf(app), clock: app.platform.clock });
  return takenLater(app.settings.tracks.from, reading);
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

function mirrorFacts({ settings, platform }: App, problem: string | undefined) {
  const path = settings.mirror.value;
  return { path, bytes: platform.files.size(path) ?? null, problem: problem ?? null };
}

function runFacts({ started, ended, outcome, requests, rows, problem, words }: SyncRun) {
  return {
    ...{ started: instantText(started), ended: instantText(ended), outcome: outcome ?? 'under way' },
    ...{ requests, rows, problem: problem ?? null, words },
  };
}

/** When the tracked selections have something to do next; at once when something is due. */
async function dueFacts(app: App, mirror: Mirror | undefined, states: readonly SelectionState[]) {
  const now = app.platform.clock.now();
  const targets = states.flatMap((state) => state.targets);
  if (targets.length === 0) return { next_due: null, next_release: null };
  if (!mirror || states.some(({ due }) => due > 0)) return { next_due: instantText(now), next_release: null };
  const { at, release } = await nextDue({ reader: mirror, asker: askerOf(app), targets, now });
  return { next_due: instantText(at), next_release: release ? `${release.currency} ${release.indicator}` : null };
}

/** Who runs a sync by itself, and when next. A scheduler that cannot be read has none that counts. */
async function scheduleFacts(app: App) {
  const found = await scheduleEntries(app).catch((error: unknown) => {
    if (error instanceof MacroError) return [];
    throw error;
  });
  return found.map(({ scheduler, entry }) => ({ scheduler: scheduler.name, next: instantText(entry.next) }));
}

async function quotaOf(app: App): Promise<{ budgets: readonly BudgetLeft[]; held: number | undefined }> {
  const { value: baseUrl } = app.settings.baseUrl;
  if (baseUrl === undefined) return { budgets: [], held: undefined };
  const now = app.platform.clock.now();
  const account = await readAccount(app, baseUrl);
  return { budgets: readBudgets(account, now), held: blockedUntil(account, now) };
}

function quotaText(budgets: readonly BudgetLeft[], held: number | undefined): string {
  if (held !== undefined) return `none before ${instantText(held)}: the service asked to wait`;
  return budgets.map(({ budget, left, limit }) => `${budget} ${left} of ${limit}`).join(', ') || 'no service';
}

function budgetFacts({ budget, limit, left, resetsAt }: BudgetLeft) {
  return { budget, limit, left, resets_at: instantText(resetsAt) };
}

interface Facts {
  readonly mirror: ReturnType<typeof mirrorFacts>;
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
