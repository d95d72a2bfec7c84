import type { Endpoint } from '../contract/endpoint.ts';
import type { CutBody } from '../contract/json/body.ts';
import { type JsonObject, parseObject } from '../contract/json/json.ts';
import { type ChangeFeed, memberFor } from '../contract/mapping.ts';
import { isCalendarDate } from '../contract/time/time.ts';
import changes from '../endpoints/announcements/changes.ts';
import { ENDPOINTS, endpointById } from '../endpoints/index.ts';
import type { Journal } from '../mirror/api/journal.ts';
import type { NamedSeries, NewRow } from '../mirror/api/page-commit.ts';
import type { SyncTarget } from './series/select.ts';

/** The feed of an endpoint's series; undefined when nothing announces their changes. */
export function feedOf({ mirror }: Endpoint): ChangeFeed | undefined {
  return mirror?.sync.kind === 'history' ? mirror.sync.feed : undefined;
}

export function followersOf(feed: Endpoint): readonly Endpoint[] {
  return ENDPOINTS.filter((endpoint) => feedOf(endpoint)?.endpoint === feed.id);
}

/** The feeds that some targets want read and that are not among them. */
export function impliedFeeds(targets: readonly SyncTarget[]): readonly SyncTarget[] {
  const feeds = new Set(targets.flatMap(({ endpoint }) => feedOf(endpoint)?.endpoint ?? []));
  for (const { endpoint } of targets) feeds.delete(endpoint.id);
  return [...feeds].flatMap((id) => {
    const endpoint = endpointById(id);
    return endpoint ? [{ endpoint, args: {} }] : [];
  });
}

/** Every series of every follower may have changed: the feed was not read without a gap. */
export function namesAll(feed: Endpoint): readonly NamedSeries[] {
  return followersOf(feed).map(({ id }) => ({ endpoint: id, scope: {}, due: '' }));
}

/** Makes what tells the series that one change of a feed names, each with the date that changed. */
export function namerOf(feed: Endpoint): (change: JsonObject) => readonly NamedSeries[] {
  const readings = followersOf(feed).flatMap((endpoint) => {
    const reading = feedOf(endpoint);
    return reading ? [{ endpoint, reading }] : [];
  });
  return (change) => readings.map(({ endpoint, reading }) => namedIn(endpoint, reading, change));
}

export function changesNamer(): (event: Pick<NewRow, 'value'>) => readonly NamedSeries[] {
  const named = namerOf(changes);
  return ({ value }) => named(value);
}

export function namedBy(feed: Endpoint, { rows }: CutBody): readonly NamedSeries[] {
  const named = namerOf(feed);
  return rows.flatMap(({ value }) => named(value));
}

function namedIn(endpoint: Endpoint, { names, date, count }: ChangeFeed, change: JsonObject): NamedSeries {
  const scope: Record<string, string> = {};
  for (const name of names) {
    const word = change[name];
    const decoded = typeof word === 'string' ? endpoint.at[name]?.decode(word) : undefined;
    // An unreadable scope may be any series.
    if (!decoded || 'fault' in decoded) return { endpoint: endpoint.id, scope: {}, due: '' };
    scope[name] = String(decoded.value);
  }
  const day = memberFor(change, { name: date, type: 'text', from: date });
  const isAlone = count === undefined || change[count] === 1;
  const due = isAlone && typeof day === 'string' && isCalendarDate(day) ? day : '';
  return { endpoint: endpoint.id, scope, due };
}

/** Events that are compared at once. */
const EVENTS = 1_000;

/** The stored events of one series. */
export interface Announced {
  /** For each event that counts its rows: their number, and the reference date of its release. */
  readonly written: readonly { readonly rows: number; readonly date: string | undefined }[];
  /** The earliest date that is to be read; empty for any, undefined without an event. */
  readonly due: string | undefined;
  /** When the last of them came, in milliseconds; 0 without one. */
  readonly cameAt: number;
}

export const NOTHING_ANNOUNCED: Announced = { written: [], due: undefined, cameAt: 0 };

/** The events of a series behind one place in the journal, up to another. */
export async function announcedBetween(
  journal: Pick<Journal, 'events'>,
  { endpoint, args }: SyncTarget,
  { after, until }: { readonly after: number; readonly until: number },
): Promise<Announced> {
  const feed = feedOf(endpoint);
  if (!feed?.count || after >= until) return NOTHING_ANNOUNCED;
  const [currencies, indicators] = feed.names.map((name) => [String(args[name]).toLowerCase()]);
  const found = await journal.events({ after, limit: EVENTS, currencies, indicators });
  const events = found.filter(({ position }) => position <= until);
  const changes = events.map(({ text }) => parseObject(text));
  const written = changes.flatMap((change) => {
    const [rows, date] = [feed.count, feed.date].map((from = '') =>
      memberFor(change, { name: from, type: 'text', from }),
    );
    const isDay = typeof date === 'string' && isCalendarDate(date);
    return typeof rows === 'number' ? [{ rows, date: isDay ? date : undefined }] : [];
  });
  const dates = changes.map((change) => namedIn(endpoint, feed, change).due);
  return {
    written,
    due: dates.reduce<string | undefined>((a, b) => (a === undefined || b < a ? b : a), undefined),
    cameAt: Math.max(0, ...events.flatMap(({ arrivals }) => arrivals.map(({ at }) => at))),
  };
}
