import { blockedUntil, readBudgets } from '../../../client/quota/budgets.ts';
import { dateOf } from '../../../contract/time/time.ts';
import { ENDPOINTS } from '../../../endpoints/index.ts';
import type { KeyValue } from '../../../mirror/api/series.ts';
import { type Cost, costOf, type PlannedBudget } from '../../../sync/plan/budgets.ts';
import { estimateStep, typicalIndicatorRequests } from '../../../sync/plan/estimate.ts';
import type { PlannedRequest } from '../../../sync/plan/step.ts';
import { surveyTargets } from '../../../sync/run.ts';
import { expandWords, targetName } from '../../../sync/series/select.ts';
import type { Asker } from '../../../sync/series/states.ts';
import type { App } from '../../app/app.ts';
import { readAccount } from '../../app/service.ts';
import { takenLater } from '../../app/settings.ts';
import { fieldNames } from '../command.ts';
import { PLANNED, type SyncOptionsTyped } from './sync.ts';

const SPARE = ['reason', 'from', 'to'] as const;

/** Prints what a run would ask for, in order, what it costs and what it leaves. Contacts nobody. */
export async function printPlan(
  app: App,
  request: SyncOptionsTyped & { readonly client: Asker | undefined },
): Promise<void> {
  const { words, units = [], client = NOBODY, maxAge, check, full } = request;
  const { clock } = app.platform;
  const mirror = (await app.mirrorIfAny())?.mirror;
  const expanding = expandWords(words, { endpoints: ENDPOINTS, mirror, now: clock.now() });
  const expanded = await takenLater(request.from, expanding);
  const { catalogues, targets, unknown, notes } = expanded;
  for (const note of notes) await app.note(note, 'about_plan');
  for (const currency of unknown)
    await app.note(
      `Which indicators ${currency} has is unknown until its catalogue is stored: until then their requests are a guess.`,
      'catalogue_missing',
    );
  const options = { clock, mirror, client, maxAge, check, full };
  const ofCatalogues = await surveyTargets({ ...options, targets: catalogues });
  const planned = [...ofCatalogues.planned, ...(await surveyTargets({ ...options, targets })).planned];
  const asking = { mirror, asker: client, now: clock.now() };
  const rows: PlanRow[] =
    units.length === 0 ? [] : await (await import('./publishers.ts')).rowsOfFiles(app, { ...request, units, mirror });
  for (const step of planned) rows.push(rowOf(step, await estimateStep(step, asking)));
  rows.push(...unknown.map(unknownRow));
  const ofFiles = rows.filter(({ reason }) => reason === 'file' || reason === 'page');
  const atLeast = planned.reduce((sum, step) => sum + step.requests, ofFiles.length);
  const requests = rows.reduce((sum, row) => sum + row.requests, 0);
  const pages = ofFiles.filter(({ reason }) => reason === 'page').length;
  const open = planned.filter((step) => step.open).length + unknown.length + pages;
  // Publishers have no quota.
  const cost = await costNow(app, requests - ofFiles.length);
  const count = catalogues.length + targets.length + units.length;
  const about = open > 0 ? 'about ' : '';
  const title = [`Plan: ${about}${requests} ${requests === 1 ? 'request' : 'requests'}`];
  title.push(`${count} series`, cost.seconds === 0 ? 'at once' : `${cost.seconds} s of waiting for budgets`);
  await app.list({
    columns: fieldNames(PLANNED),
    spare: SPARE,
    rows,
    title: [...title, ...cost.budgets.map(({ window, after, limit }) => `${window}: ${after} of ${limit} left`)],
    beside: { requests, at_least: atLeast, open, series: count, seconds: cost.seconds, budgets: cost.budgets },
  });
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

export type PlanRow = ReturnType<typeof rowOf>;

/** Where publishers alone are asked. */
const NOBODY: Asker = { service: '', access: 'keyless' };

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
