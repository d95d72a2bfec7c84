import { type JsonObject, type JsonText, objectIn, parseObject } from './json/json.ts';
import { instantOf } from './time/time.ts';

/** One processed release, as changes, stream and webhooks announce it. See docs/interface-events.md#release-events. */
export interface ReleaseEvent {
  readonly eventId: string;
  /** Processing time, Unix seconds. */
  readonly timestamp: number;
  /** Lower case, as in all event payloads. */
  readonly currency: string;
  readonly indicator: string;
  /** Release time, Unix seconds. */
  readonly release: number | undefined;
  readonly text: JsonText;
  readonly value: JsonObject;
}

/** Seconds for which the service keeps events. See docs/interface-events.md#changes. */
export const EVENTS_KEPT = 604_800;

/** Reads an event; a text that is no object is an event without an id. */
export function readEvent(text: JsonText): ReleaseEvent {
  return releaseEventOf({ text, value: parseObject(text) });
}

/** The event that a row is, when its text was parsed already. */
export function releaseEventOf({ text, value }: Pick<ReleaseEvent, 'text' | 'value'>): ReleaseEvent {
  const latest = objectIn(value.latest_announcement);
  return {
    eventId: String(value.event_id),
    timestamp: instantOf(value.timestamp) ?? 0,
    currency: String(value.currency).toLowerCase(),
    indicator: String(value.indicator),
    release: instantOf(value.release_timestamp) ?? instantOf(latest.announcement_datetime),
    text,
    value,
  };
}
