// Replays the past of a mirror: a source that answers as the service did then, and its events, each at its time.
import { asJsonText, parseObject, toJsonText } from '../contract/json/json.ts';
import { memberTexts } from '../contract/json/scan.ts';
import { EVENTS_KEPT, releaseEventOf } from '../contract/release-event.ts';
import { isoSeconds, LAST_SECOND } from '../contract/time/time.ts';
import changes from '../endpoints/announcements/changes.ts';
import announcements from '../endpoints/announcements/series.ts';
import type { Mirror, MirrorReader } from '../mirror/api/mirror.ts';
import type { EventsCommit, NewRow } from '../mirror/api/page-commit.ts';
import type { DataKind, StoredSeries } from '../mirror/api/series.ts';
import { eventPage } from '../mirror/rules/event-page.ts';
import type { Source } from '../source/source.ts';

interface ReplaySources {
  /** Source with the whole history. */
  readonly history: Source;
  /** Source with the events published so far. */
  readonly events: Source;
  /** The real present in milliseconds. */
  readonly present: () => number;
}

/** A clock that shows the real present was read a little before the real one is. */
const READ_BEFORE_MS = 1_000;

/** An event that is due at a moment. Times are Unix seconds. */
interface RecordedEvent {
  readonly id: string;
  /** When it was processed; its release where nobody noted that. */
  readonly at: number;
  /** The event as a row of changes; undefined where the row of its release was unknown then. */
  read(): Promise<NewRow | undefined>;
}

const RELEASE_COLUMN = 'announcement_datetime';

/** A source that knows nothing later than its moment: public rows, and events as stream and webhooks read them. */
export function createReplaySource({ history, events, present }: ReplaySources): Source {
  return {
    ask(question, replayed) {
      if (question.endpoint.id === changes.id) return events.ask(question, replayed);
      const { now } = replayed;
      const presentAt = present();
      const context = { ...replayed, presentAt: isJustBefore(now, presentAt) ? now : presentAt };
      const { as_of: seconds } = question.args;
      // A question about an earlier moment keeps it; a later one becomes the replay's present.
      if (typeof seconds === 'number' && seconds * 1000 <= now) return history.ask(question, context);
      return history.ask(question, { ...context, asOf: { at: now, by: 'public' } });
    },
  };
}

function isJustBefore(moment: number, presentAt: number): boolean {
  return moment <= presentAt && presentAt - moment < READ_BEFORE_MS;
}

const ORIGIN = 'replay';

interface ReplayedEvents {
  /** Tells all that is due by a moment; gives the moment of the next event. Both in milliseconds. */
  upTo(now: number): Promise<number>;
}

interface HistoryReplayParts {
  readonly reader: MirrorReader;
  /** Takes the events. Stream, changes and webhooks all read it, so they tell the same in the same order. */
  readonly scratch: Pick<Mirror, 'commitPage'>;
  readonly nature: DataKind;
  /** Milliseconds. */
  readonly startsAt: number;
}

/** Prepares the events of a mirror. Events of the week before the start are there from the beginning. */
export async function replayHistory({
  reader,
  scratch,
  nature,
  startsAt,
}: HistoryReplayParts): Promise<ReplayedEvents> {
  const start = Math.floor(startsAt / 1000);
  const all = await recordedEvents(reader, start - EVENTS_KEPT);
  let next = all.findIndex(({ at }) => at * 1000 > startsAt);
  if (next < 0) next = all.length;
  const commit = async (events: readonly RecordedEvent[], at: number) => {
    const rows = (await Promise.all(events.map((event) => event.read()))).filter((row) => row !== undefined);
    await scratch.commitPage(pageOf(rows, { nature, at }));
  };
  await commit(all.slice(0, next), startsAt);
  return {
    async upTo(now) {
      for (let event = all[next]; event && event.at * 1000 <= now; event = all[next]) {
        await commit([event], event.at * 1000);
        next += 1;
      }
      return (all[next]?.at ?? Number.POSITIVE_INFINITY) * 1000;
    },
  };
}

/** A replay knows all events that it will ever tell, so no time of it counts as uncovered. */
function pageOf(rows: readonly NewRow[], { nature, at }: { nature: DataKind; at: number }): EventsCommit {
  const event = { origin: ORIGIN, nature, access: `key:${ORIGIN}`, via: 'local' } as const;
  return { ...eventPage({ ...event, rows, at }), covered: { from: 0, to: LAST_SECOND, rows: rows.length } };
}

/** Events from a moment on in the order of changes: received ones as they came, others with the value of then. */
async function recordedEvents(reader: MirrorReader, from: number): Promise<readonly RecordedEvent[]> {
  const received = await receivedEvents(reader, from);
  const known = new Set(received.map(({ id }) => id));
  const derived = (await releasesIn(reader, from)).filter(({ id }) => !known.has(id));
  return [...received, ...derived].sort((a, b) => a.at - b.at || (a.id < b.id ? -1 : 1));
}

async function receivedEvents(reader: MirrorReader, from: number): Promise<readonly RecordedEvent[]> {
  const events = new Map<string, RecordedEvent>();
  for (const series of await reader.find({ endpoint: changes.id, scope: {} }))
    for (const { text } of await reader.rows(series, {})) {
      const value = parseObject(text);
      const { eventId: id, timestamp: at } = releaseEventOf({ text, value });
      if (at >= from && !events.has(id)) events.set(id, { id, at, read: async () => ({ text, value }) });
    }
  return [...events.values()];
}

async function releasesIn(reader: MirrorReader, from: number): Promise<readonly RecordedEvent[]> {
  const events = new Map<string, RecordedEvent>();
  for (const series of await reader.find({ endpoint: announcements.id, scope: {} })) {
    const { [RELEASE_COLUMN]: releases = [] } = await reader.columns(series, {}, [RELEASE_COLUMN]);
    for (const release of releases) {
      if (typeof release !== 'number' || release < from) continue;
      const id = `${nameOf(series).currency}_${nameOf(series).indicator}_${release}`;
      // The first form of a series counts, because an event has one id.
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
