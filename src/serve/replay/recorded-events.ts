// The release events that a mirror can tell of: those that it received, and those that its rows prove.
import { asJsonText, parseObject, toJsonText } from '../../contract/json/json.ts';
import { memberTexts } from '../../contract/json/scan.ts';
import { releaseEventOf } from '../../contract/release-event.ts';
import { isoSeconds } from '../../contract/time/time.ts';
import type { MirrorReader } from '../../mirror/api/mirror.ts';
import type { NewRow } from '../../mirror/api/page-commit.ts';
import type { StoredSeries } from '../../mirror/api/series.ts';

/** An event to be told at a moment. Times are Unix seconds. */
export interface RecordedEvent {
  readonly id: string;
  /** When it was processed; its release where nobody noted that. */
  readonly at: number;
  /** The event as a row of changes; undefined where the row of its release was unknown then. */
  read(): Promise<NewRow | undefined>;
}

const EVENTS = 'announcements_changes';
const HISTORY = 'announcements';
const RELEASE_COLUMN = 'announcement_datetime';

/**
 * Every event from a moment on, in the order of changes. An event that the mirror received is told as it came. Any other
 * release is told with the value that was public in that second, and without a count of records.
 */
export async function recordedEvents(reader: MirrorReader, from: number): Promise<readonly RecordedEvent[]> {
  const received = await receivedEvents(reader, from);
  const known = new Set(received.map(({ id }) => id));
  const derived = (await releasesIn(reader, from)).filter(({ id }) => !known.has(id));
  return [...received, ...derived].sort((a, b) => a.at - b.at || (a.id < b.id ? -1 : 1));
}

async function receivedEvents(reader: MirrorReader, from: number): Promise<readonly RecordedEvent[]> {
  const events = new Map<string, RecordedEvent>();
  for (const series of await reader.find({ endpoint: EVENTS, scope: {} }))
    for (const { text } of await reader.rows(series, {})) {
      const value = parseObject(text);
      const { eventId: id, timestamp: at } = releaseEventOf({ text, value });
      if (at >= from && !events.has(id)) events.set(id, { id, at, read: async () => ({ text, value }) });
    }
  return [...events.values()];
}

async function releasesIn(reader: MirrorReader, from: number): Promise<readonly RecordedEvent[]> {
  const events = new Map<string, RecordedEvent>();
  for (const series of await reader.find({ endpoint: HISTORY, scope: {} })) {
    const { [RELEASE_COLUMN]: releases = [] } = await reader.columns(series, {}, [RELEASE_COLUMN]);
    for (const release of releases) {
      if (typeof release !== 'number' || release < from) continue;
      const id = `${nameOf(series).currency}_${nameOf(series).indicator}_${release}`;
      // Of several forms of a series the first one tells: an event has one id.
      if (!events.has(id)) events.set(id, { id, at: release, read: () => derive(reader, series, { id, release }) });
    }
  }
  return [...events.values()];
}

/** The event of the newest row that was public at its release. */
async function derive(
  reader: MirrorReader,
  series: StoredSeries,
  { id, release }: { readonly id: string; readonly release: number },
): Promise<NewRow | undefined> {
  const asOf = { at: release * 1000, by: 'public' } as const;
  const where = { [RELEASE_COLUMN]: release };
  // The answer order of a history is the newest row first.
  const [newest] = await reader.rows(series, { asOf, where }, { limit: 1, offset: 0 });
  if (!newest) return undefined;
  const [date = 'null', val = 'null'] = memberTexts(newest.text, ['date', 'val']);
  const latest = `{"date":${date},"val":${val},"announcement_datetime":"${isoSeconds(release)}"}`;
  const head = toJsonText({ event_id: id, ...nameOf(series), timestamp: release, release_timestamp: release });
  const text = asJsonText(`${head.slice(0, -1)},"latest_announcement":${latest}}`);
  return { text, value: parseObject(text) };
}

function nameOf({ scope }: StoredSeries): { readonly currency: string; readonly indicator: string } {
  return { currency: String(scope.currency).toLowerCase(), indicator: String(scope.indicator) };
}
