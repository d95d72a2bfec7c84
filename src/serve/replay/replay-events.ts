// Tells recorded events again, each at its time, through a mirror of their own.
import { EVENTS_KEPT } from '../../contract/release-event.ts';
import { LAST_SECOND } from '../../contract/time/time.ts';
import type { Mirror, MirrorReader } from '../../mirror/api/mirror.ts';
import type { NewRow, PageCommit } from '../../mirror/api/page-commit.ts';
import type { DataKind } from '../../mirror/api/series.ts';
import { eventPage } from '../../mirror/core/event-page.ts';
import { type RecordedEvent, recordedEvents } from './recorded-events.ts';

const ORIGIN = 'replay';

export interface ReplayedEvents {
  /** Tells all that is due by a moment; gives the moment of the next event. Both in milliseconds. */
  upTo(now: number): Promise<number>;
}

export interface HistoryReplayParts {
  /** Where history is read. */
  readonly reader: MirrorReader;
  /** Takes the events. Stream, changes and webhooks all read it, so they tell the same in the same order. */
  readonly scratch: Pick<Mirror, 'commitPage'>;
  readonly nature: DataKind;
  /** Milliseconds. */
  readonly startsAt: number;
}

/** Prepares the events of a mirror. What was processed in the week before the start is there from the beginning. */
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

/** A replay knows all events that it will ever tell, so no time of it counts as unwatched. */
function pageOf(rows: readonly NewRow[], { nature, at }: { nature: DataKind; at: number }): PageCommit {
  const event = { origin: ORIGIN, nature, access: `key:${ORIGIN}`, via: 'local' } as const;
  return { ...eventPage({ ...event, rows, at }), proof: { from: 0, to: LAST_SECOND, rows: rows.length } };
}
