import { DELAY_SECONDS, DELAY_STEP_SECONDS, readableAt } from '../contract/access.ts';
import { isAnsweredByClock, isOffline } from '../contract/capabilities.ts';
import { type Endpoint, freshFor } from '../contract/endpoint.ts';
import { toJsonText } from '../contract/json/json.ts';
import type { AsOf } from '../contract/time/moments.ts';
import { MacroError } from '../errors.ts';
import type { MirrorReader } from '../mirror/api/mirror.ts';
import type { AccessTag, StoredSeries } from '../mirror/api/series.ts';
import { withoutUndone } from '../mirror/rules/as-of/undone.ts';
import { visibilityOf } from './answer/keyless.ts';
import { absentOf, selectStored } from './answer/pick.ts';
import { LABELS } from './labels.ts';
import { type NamedMirror, ownReader } from './named-service.ts';
import { eventsSince, isReleased } from './newer-events.ts';
import { namesOf, neededBy, noMirrorYet, syncOf } from './not-mirrored.ts';
import { seriesOfQuestion, unkeptArguments } from './question.ts';
import { coverageRulesOf, seriesCoverage, withWindow } from './read-coverage.ts';
import { type AskContext, type Question, resolveAlias, type Source } from './source.ts';
import { cureWithoutService } from './without-service.ts';

/** Where an answer may come from: `auto` takes the mirror when it is provably complete and fresh, else the service. */
export type SourceMode = 'auto' | 'live' | 'offline';

export interface SourceOptions {
  readonly mode: SourceMode;
  /** Seconds that a mirrored answer may be old; the endpoint's own freshness when left out. */
  readonly maxAge?: number | undefined;
  /** The service; undefined when none is configured. */
  readonly live?: Source | undefined;
  /** The access under which the service would be asked; without a service, anybody's check will do. */
  readonly access?: AccessTag | undefined;
  /** Path or address of the mirror, for an error. */
  readonly path?: string;
  /** The mirror; undefined when there is none at its path. */
  readonly mirror?: (NamedMirror & { readonly source: Source }) | undefined;
}

/** How fresh an answer of the mirror would be, without making it. */
interface Freshness {
  /** Last check of the data behind the answer, in milliseconds; undefined when some of it is not covered. */
  readonly checkedAt: number | undefined;
  /** When the newest release came out that may be missing, by the stored calendars; in milliseconds. */
  readonly releasedAt?: number;
}

/** Seconds for which a release may be late: an answer that soon after its time may not have it yet. */
const LATE = 600;

/** Seconds. A check older than this is never fresh, so the release times of its series are not read. */
const A_DAY = 86_400;

/** A complete series, and when it was last checked, in milliseconds. */
interface CoveredSeries {
  readonly series: StoredSeries;
  readonly checkedAt: number;
}

/** Picks the source of one question, before anything is spent. */
export async function chooseSource(options: SourceOptions, question: Question, context: AskContext): Promise<Source> {
  const { mode, live, mirror } = options;
  const { endpoint } = question;
  const { asOf, origin } = context;
  if (origin !== undefined) return mode === 'live' ? refuse(originUnserved()) : offline(options, question);
  if (asOf && !isServed(question, asOf))
    return mode === 'live' ? refuse(unserved(question, asOf)) : offline(options, question);
  if (mode === 'offline') return offline(options, question);
  if (mode === 'live') return live ?? refuse(unconfigured('macro init chooses a service; --base-url URL names one.'));
  if (isAnsweredByClock(endpoint) && mirror) return mirror.source;
  const access = options.access ?? 'keyless';
  const freshness = mirror && (await freshnessOf(mirror, question, { ...context, access }));
  const checkedAt = freshness?.checkedAt;
  // The mirror knows the past if its coverage was checked after that moment, however long ago that is.
  const oldest = asOf?.at ?? oldestFresh(options, freshness, { endpoint, now: context.now });
  const newest = context.now + CLOCKS_APART;
  if (mirror && checkedAt !== undefined && checkedAt >= oldest && checkedAt <= newest) return mirror.source;
  if (live) return live;
  // Without an answer, the mirror names its rows that are near.
  if (mirror && (freshness || isOffline(endpoint))) return mirror.source;
  const cure = cureWithoutService(syncOf(namesOf(neededBy(resolveAlias(question)))));
  return refuse(unconfigured(`macro demo shows the tool without either. ${cure}`));
}

function originUnserved(): MacroError {
  return new MacroError('usage', 'The service does not tell its sources apart by --origin.', {
    code: 'origin_not_served',
    hint: 'Leave out --live: the mirror answers.',
  });
}

/** True when the interface itself can be asked about a moment. */
function isServed(question: Question, { by }: AsOf): boolean {
  const { query } = resolveAlias(question).endpoint;
  return by !== 'mirrored' && query.as_of !== undefined && query.availability !== undefined;
}

function unserved({ endpoint }: Question, { by }: AsOf): MacroError {
  const what =
    by === 'mirrored' ? 'Only this mirror knows what it had stored.' : `The service knows no as_of for ${endpoint.id}.`;
  return new MacroError('usage', what, { code: 'as_of_not_served', hint: 'Leave out --live: the mirror answers.' });
}

/** Milliseconds that clocks of a shared mirror may differ: a later check was made by a wrong clock. */
const CLOCKS_APART = 300_000;

/** Seconds between two looks for a release that is due. See docs/interface-events.md#changes. */
const LOOK_INTERVAL_SECONDS = 60;

/** How long ago a check may be, as a moment in milliseconds: not before a release, unless the person said how old is fine. */
function oldestFresh(
  options: SourceOptions,
  freshness: Freshness | undefined,
  context: { endpoint: Endpoint; now: number },
): number {
  const { endpoint, now } = context;
  const oldest = now - maxAgeOf(options, endpoint, now);
  const releasedAt = options.maxAge === undefined ? freshness?.releasedAt : undefined;
  if (releasedAt === undefined) return oldest;
  const look = options.access === 'keyless' ? DELAY_STEP_SECONDS : LOOK_INTERVAL_SECONDS;
  return Math.max(oldest, releasedAt, now - look * 1000);
}

/** Milliseconds. Without a key, answers about releases move in steps of five minutes. */
function maxAgeOf({ maxAge, access }: SourceOptions, endpoint: Endpoint, now: number): number {
  if (maxAge !== undefined) return maxAge * 1000;
  const fresh = freshFor(endpoint, now);
  return (access === 'keyless' && endpoint.access.delayed ? Math.min(fresh, DELAY_STEP_SECONDS) : fresh) * 1000;
}

function offline({ mirror, path = 'its path' }: SourceOptions, question: Question): Source {
  const { endpoint } = question;
  if (!isOffline(endpoint))
    throw new MacroError('notFound', `Only a running service can answer ${endpoint.id}.`, {
      hint: 'Leave out --offline.',
    });
  if (mirror) return mirror.source;
  throw noMirrorYet(question, path);
}

function unconfigured(hint: string): MacroError {
  return new MacroError('auth', 'No service is chosen, and the mirror has no answer.', {
    code: 'not_configured',
    hint,
  });
}

function refuse(error: MacroError): never {
  throw error;
}

/** Answers what the clock alone decides, where there is no mirror to ask. */
export const localSource: Source = {
  async ask({ endpoint, args }, { now, caller }) {
    const body = endpoint.local?.({ args, now: Math.floor(now / 1000), caller, labels: LABELS });
    return { status: 200, body: toJsonText(body), from: 'mirror', asOf: now, synthetic: false, notes: [] };
  },
};

/** How fresh the mirror is for a question; undefined without an answer. @throws MacroError of kind `mirror`. */
export async function freshnessOf(
  named: NamedMirror,
  subject: Question,
  context: AskContext & { readonly access: AccessTag },
): Promise<Freshness | undefined> {
  const question = resolveAlias(subject);
  const { endpoint, args, extra = {} } = question;
  if (Object.keys(extra).length > 0 || unkeptArguments(endpoint, args).length > 0) return undefined;
  if (!endpoint.mirror && !endpoint.compose) return undefined;
  const visible = visibilityOf(endpoint, args, context.caller, context.now);
  const stamp = await named.mirror.stamp();
  return named.mirror.snapshot(async (whole) => {
    const { reader, requireOwn } = ownReader(withoutUndone(whole), stamp, named);
    const picked = await seriesFor(question, reader);
    requireOwn();
    if (picked.length === 0) return undefined;
    const vouching = coverageRulesOf(question, picked);
    const series = vouching?.series ?? picked;
    const { now, asOf } = context;
    const ask = { question, visible: withWindow(visible, vouching?.window), reader, now, asOf };
    const found = await Promise.all(series.map((stored) => seriesCoverage(ask, stored, context.access)));
    const proven = found.map((covered) => covered?.checkedAt);
    if (!vouching || isMidWalk(question)) return { checkedAt: undefined };
    const known = series.flatMap((stored, i) => {
      const moment = proven[i];
      return moment === undefined ? [] : [{ series: stored, checkedAt: moment }];
    });
    if (known.length < proven.length) return { checkedAt: undefined };
    const releasedAt = await releaseSince(reader, known, context);
    return {
      checkedAt: Math.min(...known.map((one) => one.checkedAt)),
      ...(releasedAt !== undefined && { releasedAt }),
    };
  });
}

/** A position belongs to whoever gave it, and nobody can know the end of a sequence. */
function isMidWalk({ endpoint, args }: Question): boolean {
  return endpoint.paging.kind === 'sequence' || args.cursor !== undefined || args.checkpoint !== undefined;
}

async function seriesFor({ endpoint, args }: Question, reader: MirrorReader): Promise<readonly StoredSeries[]> {
  if (!endpoint.compose) return reader.find(seriesOfQuestion(endpoint, args));
  const { compose } = endpoint;
  if (compose.needs === 'all' && (await absentOf(reader, compose.reads(args))).length > 0) return [];
  return selectStored(reader, compose, args);
}

/**
 * The newest release (milliseconds) that calendar or event announced and a series may miss; undefined for none. See
 * docs/interface-endpoints.md#announcements.
 */
export async function releaseSince(
  reader: MirrorReader,
  proven: readonly CoveredSeries[],
  moment: { readonly now: number; readonly access: AccessTag },
): Promise<number | undefined> {
  const released = proven.filter(
    ({ series, checkedAt }) => isReleased(series) && checkedAt > moment.now - A_DAY * 1000,
  );
  const found = await Promise.all(released.map((one) => releasesSince(reader, one, moment)));
  const all = found.flat();
  return all.length === 0 ? undefined : Math.max(...all) * 1000;
}

/** Unix seconds at which they could be read. */
async function releasesSince(
  reader: MirrorReader,
  { series, checkedAt }: CoveredSeries,
  { now, access }: { readonly now: number; readonly access: AccessTag },
): Promise<readonly number[]> {
  const { currency = '', indicator } = series.scope;
  const [proven, to] = [checkedAt / 1000, Math.floor(now / 1000)];
  const from = Math.floor(proven) - LATE - DELAY_SECONDS - DELAY_STEP_SECONDS;
  const calendars = await reader.find({ endpoint: 'calendar', scope: { currency } });
  const rows = await Promise.all(calendars.map((calendar) => reader.rows(calendar, { from, to })));
  const events = await eventsSince(reader, series, checkedAt);
  const announced = rows.flat().flatMap(({ columns: { release, announcement_datetime: at } }) => {
    if (typeof at !== 'number' || (indicator !== undefined && release !== indicator)) return [];
    const out = access === 'keyless' ? readableAt(at) : at;
    return out <= to && proven < out + LATE ? [out] : [];
  });
  return [...announced, ...events.map(({ key: [at] }) => Number(at))];
}
