import { isCalendarDate, isoSeconds, parseInstant } from '../time/time.ts';
import { fault, type Param, required } from './param.ts';

/** A real calendar date, `YYYY-MM-DD`. */
export function dateParam(doc: string): Param<string, true> {
  return required(
    {
      kind: 'date',
      schema: { type: 'string', format: 'date' },
      decode(raw) {
        if (isCalendarDate(raw)) return { value: raw };
        return fault('date_from_datetime_parsing', 'Input should be a valid date in the format YYYY-MM-DD');
      },
    },
    doc,
  );
}

/** A date (midnight UTC), an ISO date-time (UTC without an offset) or Unix seconds; read as Unix seconds. */
export function instant(doc: string, bounds: { from?: number; to?: number } = {}): Param<number, true> {
  return required(
    {
      kind: 'instant',
      schema: { type: 'string' },
      decode(raw) {
        const value = parseInstant(raw);
        if (value === undefined)
          return fault('value_error', 'Input should be a date, an ISO 8601 date-time or Unix seconds');
        if (bounds.from !== undefined && value < bounds.from)
          return fault('greater_than_equal', `Input should be ${isoSeconds(bounds.from)} or later`, {
            ge: isoSeconds(bounds.from),
          });
        if (bounds.to !== undefined && value > bounds.to)
          return fault('less_than_equal', `Input should be ${isoSeconds(bounds.to)} or earlier`, {
            le: isoSeconds(bounds.to),
          });
        return { value };
      },
    },
    doc,
  );
}

/** The same, read as an ISO date-time in UTC with whole seconds, for parameters that are sent as such. */
export function dateTimeParam(doc: string): Param<string, true> {
  return required(
    {
      kind: 'instant',
      schema: { type: 'string', format: 'date-time' },
      decode(raw) {
        const value = parseInstant(raw);
        if (value !== undefined) return { value: isoSeconds(value) };
        return fault('value_error', 'Input should be an RFC 3339 date-time');
      },
    },
    doc,
  );
}

/** An IANA time zone, named as asked: the runtime knows some zones by an older name only (Asia/Calcutta for Asia/Kolkata). */
export function zone(doc: string): Param<string, true> {
  return required(
    {
      kind: 'zone',
      schema: { type: 'string' },
      decode(raw) {
        const unknown = fault('value_error', 'Value error, unknown IANA time zone');
        // Newer runtimes take an offset for a zone.
        if (/^[+-]/.test(raw)) return unknown;
        try {
          const own = new Intl.DateTimeFormat('en', { timeZone: raw }).resolvedOptions().timeZone;
          return { value: own.toLowerCase() === raw.toLowerCase() ? own : raw };
        } catch {
          return unknown;
        }
      },
    },
    doc,
  );
}
