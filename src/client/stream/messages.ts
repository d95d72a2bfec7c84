import { asJsonText, isJsonObject, type JsonObject, type JsonText, parseJson } from '../../contract/json/json.ts';
import type { Frame } from './frames.ts';

/** What a stream tells. */
export type StreamMessage =
  /** A connection is open; what was processed while there was none may be missing. */
  | { readonly kind: 'open' }
  /** A release, as a row of changes. */
  | { readonly kind: 'event'; readonly row: StreamRow; readonly synthetic: boolean }
  /** The service says that events are missing here. */
  | { readonly kind: 'gap'; readonly reason: string }
  /** An event that cannot be read, so that it is missing. */
  | { readonly kind: 'unreadable'; readonly problem: string }
  /** A heartbeat: nothing is new, and the connection lives. */
  | { readonly kind: 'beat' }
  /** The connection is gone; milliseconds until the next one. */
  | { readonly kind: 'lost'; readonly reason: string; readonly pause: number };

interface StreamRow {
  readonly text: JsonText;
  readonly value: JsonObject;
}

/** What a frame tells; undefined for a kind that is not known, which the interface lets us ignore. */
export function messagesOf({ type, data }: Frame, synthetic: boolean): StreamMessage | undefined {
  const value = parseJson(data);
  if (type === 'gap') return { kind: 'gap', reason: reasonOf(value) };
  if (type !== 'announcement' && type !== 'message') return undefined;
  const problem = problemOf(value);
  if (problem !== undefined || !isJsonObject(value))
    return { kind: 'unreadable', problem: problem ?? 'it is no object' };
  // A line break outside of a string is blank space, and none stands inside of one.
  return { kind: 'event', row: { text: asJsonText(data.replace(/[\r\n]+/g, ' ').trim()), value }, synthetic };
}

function reasonOf(value: unknown): string {
  const reason = isJsonObject(value) ? value.reason : undefined;
  return typeof reason === 'string' && /^\w{1,60}$/.test(reason) ? reason : 'unknown';
}

/** Why this is no row of changes. */
function problemOf(value: unknown): string | undefined {
  if (!isJsonObject(value)) return 'it is no JSON object';
  const lacking = ['event_id', 'currency', 'indicator'].find((name) => typeof value[name] !== 'string');
  if (lacking !== undefined) return `it has no ${lacking}`;
  return Number.isSafeInteger(value.timestamp) ? undefined : 'it has no timestamp in Unix seconds';
}
