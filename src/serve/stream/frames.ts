import { type JsonText, toJsonText } from '../../contract/json/json.ts';

/** One release as a subscriber gets it. */
export interface StreamEvent {
  readonly id: string;
  /** Processing time, Unix seconds. */
  readonly timestamp: number;
  readonly text: JsonText;
}

/** Frames of the stream, as docs/interface.md#event-stream spells them: LF, one `data:` line. */
export const HEARTBEAT = ': heartbeat\n\n';
export const RECONNECT = ': reconnect\n\n';

/** Milliseconds before a reader comes back, where nobody decides otherwise. */
const RETRY = 3_000;

/** Tells that a stream is open, and how long its reader waits before it comes back. */
export function openingFrame(retry = RETRY): string {
  return `retry: ${retry}\n: connected\n\n`;
}

export function eventFrame({ id, text }: StreamEvent): string {
  return `id: ${id}\nevent: announcement\ndata: ${text}\n\n`;
}

export type GapReason = 'last_event_id_expired' | 'last_event_id_unknown' | 'not_watched' | 'slow_consumer';

/** Tells that events are missing here, and from where they can be read again. It carries no id: nothing goes on from it. */
export function gapFrame(reason: GapReason, requested: string | undefined, oldest: StreamEvent | undefined): string {
  const data = {
    reason,
    requested_last_event_id: requested,
    oldest_event_id: oldest?.id,
    resume_with: oldest && `/v1/announcements/changes?since=${oldest.timestamp}`,
  };
  return `event: gap\ndata: ${toJsonText(data)}\n\n`;
}
