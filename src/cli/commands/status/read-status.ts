// How a profile stands, read from mirror, ledger and scheduler: status, metrics and the doctor show it.

import { type BudgetLeft, blockedUntil, readBudgets } from '../../../client/quota/budgets.ts';
import { MacroError } from '../../../errors.ts';
import type { Mirror, SyncRun } from '../../../mirror/api/mirror.ts';
import { overviewsOf, type SelectionState } from '../../../sync/overview.ts';
import { nextDue } from '../../../sync/series/due.ts';
import type { App } from '../../app/app.ts';
import { accessWith } from '../../app/keys.ts';
import { readAccount } from '../../app/service.ts';
import { baseUrlOrigin, takenLater } from '../../app/settings.ts';
import { scheduleEntries } from '../schedule/schedule.ts';

/** What is known without contacting anybody. Times are milliseconds. */
export interface StatusReport {
  readonly mirror: MirrorState;
  readonly states: readonly SelectionState[];
  readonly lastRun: SyncRun | undefined;
  readonly due: { readonly at: number | undefined; readonly release: string | undefined };
  readonly scheduled: readonly { readonly scheduler: string; readonly next: number | undefined }[];
  readonly budgets: readonly BudgetLeft[];
  readonly heldUntil: number | undefined;
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

/** Reads everything. `maxAge`: milliseconds after which a series counts as stale; its own freshness when left out. */
export async function readStatus(app: App, maxAge?: number): Promise<StatusReport> {
  const mirror = await mirrorState(app);
  const states = await statesOf(app, mirror.open, maxAge);
  return {
    mirror,
    states,
    lastRun: (await mirror.open?.runs(1))?.[0],
    due: await dueState(app, mirror.open, states),
    scheduled: await scheduleState(app),
    ...(await quotaState(app)),
  };
}

async function mirrorState(app: App): Promise<MirrorState> {
  const path = app.settings.mirror.value;
  const bytes = app.platform.files.size(path);
  try {
    const open = (await app.mirrorIfAny())?.mirror;
    return { path, bytes, open, problem: open ? undefined : 'there is none yet', error: undefined };
  } catch (error) {
    if (!(error instanceof MacroError)) throw error;
    return { path, bytes, open: undefined, problem: error.message, error };
  }
}

/** Without a service nobody would be asked; what is held is told all the same. */
function askerOf(app: App) {
  const { value: baseUrl } = app.settings.baseUrl;
  if (baseUrl === undefined) return { service: '', access: 'keyless' } as const;
  return { service: baseUrlOrigin(baseUrl), access: accessWith(app.platform, app.settings, baseUrl) };
}

async function statesOf(
  app: App,
  mirror: Mirror | undefined,
  maxAge: number | undefined,
): Promise<readonly SelectionState[]> {
  const { clock } = app.platform;
  const { value: tracks, from } = app.settings.tracks;
  const more = maxAge === undefined ? {} : { maxAge };
  return takenLater(from, overviewsOf(tracks, { mirror, asker: askerOf(app), clock, ...more }));
}

/** When the tracked selections have something to do next; at once when something is due. */
async function dueState(
  app: App,
  mirror: Mirror | undefined,
  states: readonly SelectionState[],
): Promise<StatusReport['due']> {
  const now = app.platform.clock.now();
  const targets = states.flatMap((state) => state.targets);
  if (targets.length === 0) return { at: undefined, release: undefined };
  if (!mirror || states.some(({ due }) => due > 0)) return { at: now, release: undefined };
  const { at, release } = await nextDue({ reader: mirror, asker: askerOf(app), targets, now });
  return { at, release: release && `${release.currency} ${release.indicator}` };
}

/** Who runs a sync by itself, and when next. A scheduler that cannot be read has none that counts. */
async function scheduleState(app: App): Promise<StatusReport['scheduled']> {
  const found = await scheduleEntries(app).catch((error: unknown) => {
    if (error instanceof MacroError) return [];
    throw error;
  });
  return found.map(({ scheduler, entry }) => ({ scheduler: scheduler.name, next: entry.next }));
}

async function quotaState(app: App): Promise<Pick<StatusReport, 'budgets' | 'heldUntil'>> {
  const { value: baseUrl } = app.settings.baseUrl;
  if (baseUrl === undefined) return { budgets: [], heldUntil: undefined };
  const now = app.platform.clock.now();
  const account = await readAccount(app, baseUrl);
  return { budgets: readBudgets(account, now), heldUntil: blockedUntil(account, now) };
}
