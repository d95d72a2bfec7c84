// The facts on the pages of `macro serve`. Loaded when the first page is requested.

import { CLIENT_VERSION } from '../../../client/http/version.ts';
import { readBudgets } from '../../../client/quota/budgets.ts';
import { type Endpoint, GROUPS } from '../../../contract/endpoint.ts';
import { BEGINNING, dateOf } from '../../../contract/time/time.ts';
import type { Mirror, MirrorReader, MirrorState, SyncRun } from '../../../mirror/api/mirror.ts';
import type { Delivery, Subscription } from '../../../mirror/api/outbox.ts';
import type { StoredSeries } from '../../../mirror/api/series.ts';
import type { FactTable, ListedSeries, MirrorFacts } from '../../../serve/pages/page-data.ts';
import type { PageParts } from '../../../serve/pages/page-parts.ts';
import type { Question } from '../../../source/source.ts';
import { DELIVERIES_KEPT } from '../../../webhooks/send/subscriptions.ts';
import type { App } from '../../app/app.ts';
import { readAccount } from '../../app/service.ts';
import { instantText } from '../../print/rows.ts';
import { seriesByEndpoint, storedName } from '../../print/series.ts';
import { grouped } from '../../print/text.ts';
import { canBePast } from '../endpoint-commands.ts';
import { provenRanges } from '../mirror/mirror.ts';
import { keysOfRow, linesOf, seriesOfAnswer } from '../why/lineage.ts';

const COVERAGE = ['group', 'series', 'rows', 'covered from', 'covered to', 'with gaps', 'oldest check'];

const SHOWN_RUNS = 5;
const SHOWN_DELIVERIES = 20;

/** Readers of one mirror; each loads what it needs when it is first used. */
export function createPageParts(app: App, { mirror, isSandbox }: { mirror: Mirror; isSandbox: boolean }): PageParts {
  const facts = oncePerState(mirror, () => readMirrorFacts(mirror));
  const series = oncePerState(mirror, () => listChoices(mirror));
  return {
    version: CLIENT_VERSION,
    facts,
    series,
    privateFacts: (owner) => readPrivateFacts(app, { mirror, isSandbox, owner }),
    async present(question, reply, moment) {
      const { presentAnswer } = await import('./present-answer.ts');
      return presentAnswer(app, question, reply, { ...moment, isSandbox });
    },
    async file(question, reply, options) {
      const { answerFile } = await import('./present-answer.ts');
      return answerFile(question, reply, options);
    },
    lineage: (question, row) => readLineage(mirror, question, row),
  };
}

/** Reading facts goes through all series, so there is one reading for each state of the mirror, however many ask. */
function oncePerState<T>(mirror: Pick<Mirror, 'look'>, read: () => Promise<T>): () => Promise<T> {
  let last: { readonly state: MirrorState; readonly found: Promise<T> } | undefined;
  return async () => {
    const state = await mirror.look();
    if (last?.state !== state) {
      const found = read();
      last = { state, found };
      // A failure is no state of the mirror: the next reader tries again.
      found.catch(() => {
        if (last?.found === found) last = undefined;
      });
    }
    return last.found;
  };
}

interface GroupCoverage {
  readonly group: string;
  series: number;
  rows: number;
  /** Series of which some range between two covered ones is missing, or nothing is covered. */
  withGaps: number;
  readonly bounds: string[];
  readonly checks: number[];
}

/** Public facts of a served mirror: its kind, its service, and what it covers. Reads all series. */
async function readMirrorFacts(mirror: Mirror): Promise<MirrorFacts> {
  const { nature, service } = await mirror.stamp();
  const groups = await mirror.snapshot(readGroups);
  const checks = groups.flatMap((group) => group.checks);
  const count = (pick: (group: GroupCoverage) => number) => groups.reduce((sum, group) => sum + pick(group), 0);
  return {
    kind: nature,
    source: service ?? { synthetic: 'generated here', real: 'files of publishers', none: 'none yet' }[nature ?? 'none'],
    cards: [
      ['Series', `${grouped(count(({ series }) => series))}, ${grouped(count(({ withGaps }) => withGaps))} with gaps`],
      ['Rows', grouped(count(({ rows }) => rows))],
      ['Last checked', instantText(Math.max(0, ...checks)) ?? 'never'],
    ],
    groups: {
      title: 'Coverage',
      columns: COVERAGE,
      rows: groups.map(groupCells),
      empty: 'Nothing is stored yet. macro import ecb fills the mirror.',
    },
  };
}

async function readGroups(reader: MirrorReader): Promise<readonly GroupCoverage[]> {
  const stored = await seriesByEndpoint(reader);
  const groups: GroupCoverage[] = [];
  for (const group of GROUPS) {
    const found: GroupCoverage = { group, series: 0, rows: 0, withGaps: 0, bounds: [], checks: [] };
    for (const { series } of stored.filter(({ endpoint }) => endpoint.group === group))
      for (const one of series) await addSeries(reader, found, one);
    if (found.series > 0) groups.push(found);
  }
  return groups;
}

async function addSeries(reader: MirrorReader, group: GroupCoverage, series: StoredSeries): Promise<void> {
  const ranges = provenRanges(await reader.coveredRanges(series, 'keyless'));
  group.series += 1;
  group.rows += await reader.count(series, {});
  if (ranges.length !== 1) group.withGaps += 1;
  // A series without a window has no bounds.
  group.bounds.push(...ranges.flatMap(({ from, to }) => [from, to]).flatMap((bound) => bound?.slice(0, 10) ?? []));
  if (series.checkedAt > 0) group.checks.push(series.checkedAt);
}

function groupCells({ group, series, rows, withGaps, bounds, checks }: GroupCoverage): readonly string[] {
  const sorted = bounds.filter((bound) => bound < '9000').sort();
  const oldest = checks.length === 0 ? undefined : checks.reduce((a, b) => Math.min(a, b));
  return [
    group,
    grouped(series),
    grouped(rows),
    beginText(sorted[0]),
    sorted.at(-1) ?? '',
    grouped(withGaps),
    instantText(oldest) ?? 'never',
  ];
}

function beginText(first = 'undated'): string {
  return first <= BEGINNING || first === dateOf(0) ? 'the beginning' : first;
}

/** The series that a question can name, in the order of the contract. Several origins of a series have one entry. */
async function listChoices(mirror: Mirror): Promise<readonly ListedSeries[]> {
  return mirror.snapshot(async (reader) => {
    const found = new Map<string, ListedSeries>();
    for (const { endpoint, series: stored } of await seriesByEndpoint(reader)) {
      if (!endpoint.cli || endpoint.writeOnly) continue;
      for (const series of stored) {
        const listed = listedOf(endpoint, series);
        if (!listed) continue;
        const since = earlier(found.get(listed.path)?.since, await oldestDate(reader, endpoint, series));
        found.set(listed.path, { ...listed, ...(since !== undefined && { since }) });
      }
    }
    return [...found.values()];
  });
}

function earlier(one: string | undefined, other: string | undefined): string | undefined {
  return one === undefined || (other !== undefined && other < one) ? other : one;
}

/** Undefined where rows have no date, or there are none. */
async function oldestDate(reader: MirrorReader, { mirror }: Endpoint, series: StoredSeries) {
  if (mirror?.window === undefined) return undefined;
  const [row] = await reader.rows(series, {}, { limit: 1, offset: 0, reverse: mirror.order === 'newest' });
  const key = row?.key[0];
  if (typeof key === 'number') return dateOf(key * 1000);
  return key !== undefined && /^\d{4}-\d{2}-\d{2}/.test(key) ? key.slice(0, 10) : undefined;
}

function listedOf(endpoint: Endpoint, series: StoredSeries): ListedSeries | undefined {
  const { scope } = series;
  if (!Object.keys(endpoint.at).every((name) => scope[name] !== undefined)) return undefined;
  const path = endpoint.path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(scope[name] ?? ''));
  const more = Object.entries(scope).filter(([name]) => !(name in endpoint.at) && name in endpoint.query);
  const query = more.length === 0 ? '' : `?${new URLSearchParams(Object.fromEntries(more))}`;
  return {
    name: storedName(endpoint, series),
    group: endpoint.group,
    path: `${path}${query}`,
    hasWindow: 'start_date' in endpoint.query && 'end_date' in endpoint.query,
    hasPast: canBePast(endpoint),
    ...(endpoint.query.indicators && { indicators: endpoint.query.indicators.words.filter((word) => word !== 'all') }),
  };
}

/**
 * Facts for the owner and holders of keys only, in the order in which they are shown. Without an `owner`, the digest of a
 * key, the webhooks are those of all.
 */
async function readPrivateFacts(
  app: App,
  { mirror, isSandbox, owner }: { mirror: Mirror; isSandbox: boolean; owner: string | undefined },
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
      grouped(left),
      grouped(limit),
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
      grouped(requests),
      grouped(rows),
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

/** The path of an address may contain a secret of its receiver. */
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

/** Each value that the row had in each series that the answer is made of, as the JSON lines of `macro why`. */
function readLineage(mirror: Mirror, question: Question, row: string): Promise<readonly string[]> {
  return mirror.snapshot(async (reader) => {
    const lines: string[] = [];
    for (const series of (await seriesOfAnswer(reader, question)).filter((one) => isMeant(one, question)))
      for (const key of await keysOfRow(reader, series, row))
        lines.push(...(await linesOf(reader, series, key)).map(({ text }) => text));
    return lines;
  });
}

/** False for a series that the words of the question name, and its options leave out, such as another report. */
function isMeant({ scope }: StoredSeries, { endpoint, args }: Question): boolean {
  if (endpoint.compose) return true;
  return Object.entries(scope).every(([name, value]) => String(args[name] ?? value) === value);
}
