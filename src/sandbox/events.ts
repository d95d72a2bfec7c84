import type { JsonObject } from '../contract/json.ts';
import { isoSeconds } from '../contract/time.ts';
import type { Announcements, Observation } from './announcements.ts';
import { hashOf } from './random.ts';
import { type GeneratedSeries, rowOf, SANDBOX_LABEL } from './rows.ts';
import type { World } from './world.ts';

/** How long the service remembers events. Wire facts, section 10.1. */
const RETENTION = 604_800;

/** The releases of the last seven days, in the order in which they were processed. */
export function generateEvents(world: World, held: readonly Announcements[]): GeneratedSeries {
  const events = held.flatMap((one) =>
    one.observations
      .filter(({ release }) => release >= world.horizon - RETENTION)
      .map((observation) => eventOf(world, one, observation)),
  );
  events.sort((a, b) => a.timestamp - b.timestamp || (a.event_id < b.event_id ? -1 : 1));
  return {
    endpoint: 'announcements_changes',
    scope: {},
    envelope: { source: SANDBOX_LABEL, retention_seconds: RETENTION },
    rows: events.map((event) => rowOf(event)),
  };
}

interface Event extends JsonObject {
  readonly event_id: string;
  readonly timestamp: number;
}

function eventOf(world: World, { series, observations }: Announcements, { date, release, prints }: Observation): Event {
  const currency = series.currency.toLowerCase();
  const indicator = series.indicator.slug;
  const event_id = `${currency}_${indicator}_${release}`;
  // A later revision is announced under the release that carried it: the event counts it and shows the first print.
  const revised = observations.filter((other) => other.prints.slice(1).some(({ epoch }) => epoch === release));
  return {
    event_id,
    currency,
    indicator,
    records_written: 1 + revised.length,
    timestamp: release + 2 + (hashOf(world.seed, event_id) % 8),
    release_timestamp: release,
    latest_announcement: { date, val: prints[0]?.val ?? null, announcement_datetime: isoSeconds(release) },
  };
}
