import { parseInstant } from '../../contract/time/time.ts';
import { MacroError } from '../../errors.ts';

/** A place in the order of events: by processing time, then by id. An empty id stands before all events of its second. */
export interface Position {
  /** Unix seconds. */
  readonly timestamp: number;
  readonly eventId: string;
  /** The first second before it (Unix seconds) that nobody watched: a walk goes back there once somebody has. */
  readonly unwatched?: number;
}

const PREFIX = 'c1.';

/** The opaque form that answers carry. */
export function writeCursor({ timestamp, eventId, unwatched }: Position): string {
  const back = unwatched === undefined ? '' : `${unwatched}<`;
  const place = eventId === '' ? `${timestamp}` : `${timestamp}.${eventId}`;
  return PREFIX + Buffer.from(back + place).toString('base64url');
}

/**
 * Reads a cursor of ours, an ISO date-time or Unix seconds; an instant includes the events of its own second.
 * @throws MacroError of kind `usage`.
 */
export function readCursor(since: string): Position {
  const instant = since.startsWith(PREFIX) ? undefined : parseInstant(since);
  if (instant !== undefined) return { timestamp: instant, eventId: '' };
  const encoded = since.startsWith(PREFIX) ? since.slice(PREFIX.length) : '';
  const match = /^(?:(-?\d{1,12})<)?(-?\d{1,12})(?:\.(.+))?$/s.exec(Buffer.from(encoded, 'base64url').toString('utf8'));
  // Decoding skips what is not base64url, so only a text that encodes back to itself is one.
  if (!match || !encoded || Buffer.from(encoded, 'base64url').toString('base64url') !== encoded) throw malformed(since);
  const [, back, timestamp, eventId = ''] = match;
  return { timestamp: Number(timestamp), eventId, ...(back !== undefined && { unwatched: Number(back) }) };
}

/** True when an event stands behind a position. */
export function isAfter(event: Position, position: Position): boolean {
  if (event.timestamp !== position.timestamp) return event.timestamp > position.timestamp;
  return event.eventId > position.eventId;
}

function malformed(since: string): MacroError {
  return new MacroError('usage', `'${since}' is no cursor of this server.`, {
    status: 400,
    code: 'invalid_cursor',
    hint: 'Use next_cursor of an earlier answer, an ISO date-time or Unix seconds; leave since out for the last day.',
  });
}
