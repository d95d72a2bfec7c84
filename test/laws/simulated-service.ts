import { isoSeconds } from '../../src/contract/time/time.ts';

export const DAY = 86_400_000;

interface Event {
  readonly at: number;
  readonly date: string;
  readonly written: number;
}

/** How a service is honest, but odd. */
export interface Odd {
  /** Every release says that all rows were written. */
  readonly writesAll?: boolean;
  /** The version is another one each day. */
  readonly movingVersion?: boolean;
  /** The date of the row before is that of two rows before. */
  readonly otherPrevious?: boolean;
  readonly otherFirst?: boolean;
}

export const monthEnd = (month: number): string => new Date(Date.UTC(2000, month + 1, 0)).toISOString().slice(0, 10);

/** A service of one series, which changes as it is told, and what it told of its changes. */
export function simulated(now: () => number, months: number, odd: Odd = {}) {
  const rows = new Map<string, number>(Array.from({ length: months }, (_, i) => [monthEnd(321 - i), i / 8]));
  const events: Event[] = [];
  let content = 0;
  let requests = 0;
  let furtherPages = 0;

  function history(query: URLSearchParams) {
    const [from, to] = [query.get('start_date') ?? '0000', query.get('end_date') ?? '9999'];
    const [limit, offset] = [Number(query.get('limit') ?? 20), Number(query.get('offset') ?? 0)];
    if (offset > 0) furtherPages += 1;
    const dates = [...rows.keys()].sort().reverse();
    const inside = dates.filter((date) => date >= from && date <= to);
    const page = inside.slice(offset, offset + limit);
    const end = offset + page.length;
    const has_more = end < inside.length;
    const day = odd.movingVersion ? Math.floor(now() / DAY) : 0;
    return {
      currency: 'USD',
      indicator: 'inflation',
      requested_window_has_data: inside.length > 0,
      earliest_available_date: odd.otherFirst ? '1970-01-31' : dates.at(-1),
      dataset_version: `${content}${day}${from}${to}`
        .replaceAll(/[^0-9]/g, '')
        .padEnd(64, 'a')
        .slice(0, 64),
      pagination: {
        limit,
        offset,
        returned_count: page.length,
        total_count: inside.length,
        has_more,
        ...(has_more && { next_offset: end }),
      },
      data: page.map((date) => {
        const previous = dates[dates.indexOf(date) + (odd.otherPrevious ? 2 : 1)];
        return { date, val: rows.get(date), ...(previous && { previous_date: previous }) };
      }),
    };
  }

  function changes(query: URLSearchParams) {
    const since = query.get('since') ?? '';
    const from = since.startsWith('c') ? Number(since.slice(1)) : 0;
    return {
      data: events.slice(from).map(({ at, date, written }, i) => ({
        event_id: `usd_inflation_${from + i}`,
        ...{ currency: 'usd', indicator: 'inflation', records_written: written, timestamp: at },
        latest_announcement: { date, val: rows.get(date) ?? 0, announcement_datetime: isoSeconds(at) },
      })),
      count: events.length - from,
      next_cursor: `c${events.length}`,
      has_more: false,
    };
  }

  return {
    rows,
    counts: () => ({ requests, furtherPages }),
    /** Changes rows; undefined withdraws one. `told`: how many of them the event counts, none where there is no event. */
    change(changed: ReadonlyMap<string, number | undefined>, told: number) {
      for (const [date, val] of changed) {
        if (val === undefined) rows.delete(date);
        else rows.set(date, val);
      }
      content += 1;
      const [first = ''] = changed.keys();
      const date = told === 1 ? first : ([...rows.keys()].sort().at(-1) ?? '');
      const written = odd.writesAll ? rows.size : told;
      if (told > 0) events.push({ at: Math.floor(now() / 1000), date, written });
    },
    async fetch(url: string) {
      requests += 1;
      const { pathname, searchParams } = new URL(url);
      return Response.json(pathname.endsWith('/changes') ? changes(searchParams) : history(searchParams));
    },
  };
}
