// What only the owner of a served mirror and holders of its keys may know: quota, runs and webhooks.

import { readBudgets } from '../../../../client/quota/budgets.ts';
import type { Mirror, SyncRun } from '../../../../mirror/api/mirror.ts';
import type { Delivery, Subscription } from '../../../../mirror/api/outbox.ts';
import type { FactTable } from '../../../../serve/pages/page-data.ts';
import { DELIVERIES_KEPT } from '../../../../webhooks/send/subscriptions.ts';
import type { App } from '../../../app/app.ts';
import { readAccount } from '../../../app/service.ts';
import { instantText } from '../../../print/rows.ts';

const SHOWN_RUNS = 5;
const SHOWN_DELIVERIES = 20;

export interface PrivateFactsInput {
  readonly mirror: Mirror;
  readonly isSandbox: boolean;
  /** Digest of a key; undefined for the webhooks of all. */
  readonly owner: string | undefined;
}

/** The tables, in the order in which they are shown. */
export async function readPrivateFacts(
  app: App,
  { mirror, isSandbox, owner }: PrivateFactsInput,
): Promise<readonly FactTable[]> {
  const now = app.platform.clock.now();
  const subscriptions = await mirror.outbox.subscriptions(owner);
  const owners = [...new Set(subscriptions.map((subscription) => subscription.owner))];
  const deliveries = await Promise.all(
    owners.map((one) =>
      mirror.outbox.deliveries({ owner: one, since: now - DELIVERIES_KEPT, limit: SHOWN_DELIVERIES }),
    ),
  );
  return [
    await quotaTable(app, { isSandbox, now }),
    runsTable(await mirror.runs(SHOWN_RUNS)),
    subscriptionsTable(subscriptions),
    deliveriesTable(deliveries.flat().slice(0, SHOWN_DELIVERIES)),
  ];
}

async function quotaTable(app: App, { isSandbox, now }: { isSandbox: boolean; now: number }): Promise<FactTable> {
  const { value: baseUrl } = app.settings.baseUrl;
  const isAsked = !isSandbox && baseUrl !== undefined;
  const budgets = isAsked ? readBudgets(await readAccount(app, baseUrl), now) : [];
  return {
    title: 'Quota at the service',
    columns: ['budget', 'left', 'of', 'begins anew'],
    rows: budgets.map(({ budget, left, limit, resetsAt }) => [
      budget,
      String(left),
      String(limit),
      instantText(resetsAt) ?? '',
    ]),
    empty: 'No service is asked for this mirror.',
  };
}

function runsTable(runs: readonly SyncRun[]): FactTable {
  return {
    title: 'Last runs',
    columns: ['started', 'ended', 'outcome', 'asked for', 'requests', 'rows', 'problem'],
    rows: runs.map(({ started, ended, outcome, words, requests, rows, problem }) => [
      instantText(started) ?? '',
      instantText(ended) ?? '',
      outcome ?? 'under way',
      words,
      String(requests),
      String(rows),
      problem ?? '',
    ]),
    empty: 'No sync of this mirror has run.',
  };
}

function subscriptionsTable(subscriptions: readonly Subscription[]): FactTable {
  return {
    title: 'Webhook subscriptions',
    columns: ['id', 'address', 'state', 'delivered', 'failed', 'why disabled'],
    rows: subscriptions.map(({ id, url, status, successes, failures, disabledReason }) => [
      id,
      hostOf(url),
      status,
      String(successes),
      String(failures),
      disabledReason ?? '',
    ]),
    empty: 'There are none.',
  };
}

/** The path of an address may hold a secret of its receiver. */
function hostOf(url: string): string {
  const { origin, pathname } = new URL(url);
  return pathname === '/' ? origin : `${origin}/…`;
}

function deliveriesTable(deliveries: readonly Delivery[]): FactTable {
  return {
    title: 'Webhook deliveries',
    columns: ['event', 'subscription', 'state', 'attempts', 'last status', 'delivered', 'last error'],
    rows: deliveries.map(({ event, subscription, status, attempts, lastStatus, deliveredAt, lastError }) => [
      event,
      subscription,
      status,
      String(attempts),
      lastStatus === undefined ? '' : String(lastStatus),
      instantText(deliveredAt) ?? '',
      lastError ?? '',
    ]),
    empty: 'There are none.',
  };
}
