import { type JsonObject, parseObject } from '../../contract/json/json.ts';
import { EVENTS_KEPT } from '../../contract/release-event.ts';
import { dateOf, isoSeconds } from '../../contract/time/time.ts';
import announcements from '../../endpoints/announcements/series.ts';
import type { Mirror } from '../../mirror/api/mirror.ts';
import type { AnswerCommit, NewRow } from '../../mirror/api/page-commit.ts';
import type { StoredSeries } from '../../mirror/api/series.ts';
import { GENERATED_ACCESS } from '../../mirror/rules/coverage.ts';
import { hashOf } from '../random-walks.ts';
import { type GeneratedSeries, rowOf, SANDBOX_LABEL } from '../rows.ts';
import type { World } from '../world.ts';
import type { Announcements } from './announcements.ts';
import type { GeneratedObservation } from './vintages.ts';

/** A release that somebody makes up. Without a value it is the one in the mirror. */
interface MadeUpRelease extends Pick<Released, 'currency' | 'indicator'> {
  readonly val?: number | undefined;
}

/** The releases of the last seven days, in the order in which they were processed. */
export function generateEvents(world: World, stored: readonly Announcements[]): GeneratedSeries {
  const events = stored.flatMap((one) =>
    one.observations
      .filter(({ release }) => release >= world.horizon - EVENTS_KEPT)
      .map((observation) => releasedIn(world, one, observation)),
  );
  events.sort((a, b) => a.timestamp - b.timestamp || (eventId(a) < eventId(b) ? -1 : 1));
  return {
    endpoint: 'announcements_changes',
    scope: {},
    envelope: { source: SANDBOX_LABEL, retention_seconds: EVENTS_KEPT },
    rows: events.map(eventRow),
  };
}

/** A release as it is announced. Times are Unix seconds. */
export interface Released {
  readonly currency: string;
  readonly indicator: string;
  readonly release: number;
  /** When it was processed. */
  readonly timestamp: number;
  /** Rows that came with it. */
  readonly written: number;
  readonly date: string;
  readonly val: number | null;
}

type Name = Pick<Released, 'currency' | 'indicator' | 'release'>;

export function eventId({ currency, indicator, release }: Name): string {
  return `${currency.toLowerCase()}_${indicator}_${release}`;
}

/** The event of a release, as a row of changes. See docs/interface-events.md#release-events. */
export function eventRow(released: Released): NewRow {
  const { currency, indicator, release, timestamp, written, date, val } = released;
  return rowOf('announcements_changes', {
    event_id: eventId(released),
    currency: currency.toLowerCase(),
    indicator,
    records_written: written,
    timestamp,
    release_timestamp: release,
    latest_announcement: { date, val, announcement_datetime: isoSeconds(release) },
  });
}

/** A release is processed within so many seconds. */
export const MAX_PROCESSING_SECONDS = 9;

/** When a release is processed, in Unix seconds. */
export function processedAt({ seed }: World, name: Name): number {
  return name.release + 2 + (hashOf(seed, eventId(name)) % (MAX_PROCESSING_SECONDS - 1));
}

export function releasedIn(
  world: World,
  { series, observations }: Announcements,
  observation: GeneratedObservation,
): Released {
  const { date, release, prints } = observation;
  const name = { currency: series.currency, indicator: series.indicator.slug, release };
  // A later revision is announced under the release that carried it: the event counts it and shows the first print.
  const revised = observations.filter((other) => other.prints.slice(1).some(({ epoch }) => epoch === release));
  return {
    ...name,
    timestamp: processedAt(world, name),
    written: 1 + revised.length,
    date,
    val: prints[0]?.val ?? null,
  };
}

/** A made-up release: the event, and what it changes of the series, where the mirror has one. */
interface MadeUp {
  readonly event: NewRow;
  readonly revision: AnswerCommit | undefined;
  /** Commits that come last: whoever made the release up knows that the series has changed by nothing else. */
  readonly checked: readonly AnswerCommit[];
}

/** Invents a release of the newest stored period at a moment (Unix seconds); its value becomes that of the period. */
export async function makeUpRelease(mirror: Mirror, made: MadeUpRelease, now: number): Promise<MadeUp> {
  const { currency, indicator } = made;
  const [history] = await mirror.find({ endpoint: 'announcements', scope: { currency, indicator }, exact: true });
  const [newest] = history ? await mirror.rows(history, {}, { limit: 1, offset: 0 }) : [];
  const held = newest && parseObject(newest.text);
  const date = typeof held?.date === 'string' ? held.date : dateOf(now * 1000);
  const val = made.val ?? (typeof held?.val === 'number' ? held.val : null);
  const release = await freeRelease(mirror, made, now);
  const revision = history && held && revisionOf(history, held, { release, val });
  const coveredRanges = history && revision ? await mirror.coveredRanges(history, 'keyless') : [];
  return {
    event: eventRow({ currency, indicator, release, timestamp: release, written: 1, date, val }),
    revision,
    checked: coveredRanges.flatMap(({ from, to, rows }) =>
      revision ? [{ ...revision, rows: [], covered: { from, to, rows } }] : [],
    ),
  };
}

function revisionOf(
  { origin, endpoint, scope }: StoredSeries,
  held: JsonObject,
  { release, val }: Pick<Released, 'release' | 'val'>,
): AnswerCommit {
  const prints = Array.isArray(held.revisions) ? held.revisions : undefined;
  const row = rowOf(endpoint, {
    ...withoutOldValue(held),
    val,
    ...(prints && { revisions: [...prints, { epoch: release, val, is_first_release: prints.length === 0 }] }),
  });
  const name = `made up ${eventId({ currency: String(scope.currency), indicator: String(scope.indicator), release })}`;
  return {
    series: { origin, endpoint, scope },
    ...{ nature: 'synthetic', access: GENERATED_ACCESS, extent: 'adds' },
    ...{ request: name, question: `sandbox ${name}`, rows: [row], at: release * 1000 },
  };
}

/** A row without the members that its old value was compared for: the mirror compares the new one. */
function withoutOldValue(held: JsonObject): JsonObject {
  const compared = announcements.mirror?.dependent ?? [];
  return Object.fromEntries(Object.entries(held).filter(([name]) => !compared.includes(name)));
}

/** A release is now, or as soon after it as its id is free: ids have whole seconds. */
async function freeRelease({ journal }: Mirror, { currency, indicator }: MadeUpRelease, now: number): Promise<number> {
  let release = now;
  while (await journal.event(eventId({ currency, indicator, release }))) release += 1;
  return release;
}
