import { isJsonObject, readJson } from '../../contract/json/json.ts';
import { memberTexts } from '../../contract/json/scan.ts';
import { dateOf, isCalendarDate } from '../../contract/time/time.ts';
import type { Question, Reply } from '../../source/source.ts';

/**
 * What an answer without rows of its window should say: an empty table would pass for "there is none", and a row from before
 * the window for one of it. The window is often the default one, which nobody typed. `now` in milliseconds.
 */
export function emptyWindowNotes(
  { endpoint, args }: Question,
  reply: Pick<Reply, 'body' | 'parts'>,
  now: number,
): readonly string[] {
  if (endpoint.mirror?.window?.unit !== 'date' || (reply.parts && reply.parts.rows.length > 1)) return [];
  const { body } = reply;
  const instead = body.includes(OUTSIDE) ? dateOutside(body) : undefined;
  // Most answers hold no empty list anywhere, which is seen sooner than where the rows of one begin and end.
  if (instead === undefined && !/\[\s*\]/.test(body)) return [];
  const [rows, ...bounds] = memberTexts(body, ['data', 'latest_available_date', 'start_date']);
  if (instead === undefined && rows?.replaceAll(/\s/g, '') !== '[]') return [];
  const [latest, answered] = bounds.map((text) => (text === undefined ? undefined : String(readJson(text))));
  const start = answered ?? (typeof args.start_date === 'string' ? args.start_date : undefined);
  if (start === undefined || !isCalendarDate(start)) return [];
  const today = dateOf(now);
  const isAhead = start > today ? [`The window begins on ${start}, after today, ${today}.`] : [];
  if (instead !== undefined)
    return [...isAhead, `No row lies on or after ${start}. The one of ${instead} is the newest before it.`];
  if (latest === undefined || !isCalendarDate(latest) || latest >= start) return isAhead;
  return [...isAhead, `No row lies on or after ${start}. The newest is that of ${latest}: --start ${latest} shows it.`];
}

/** The member of a row that stands for the rows of an empty window. */
const OUTSIDE = '"outside_requested_window"';

function dateOutside(body: Reply['body']): string | undefined {
  const [text] = memberTexts(body, ['data']);
  const rows: unknown = text === undefined ? [] : readJson(text);
  const [row] = Array.isArray(rows) ? rows : [];
  return isJsonObject(row) && row.outside_requested_window === true ? String(row.date) : undefined;
}
