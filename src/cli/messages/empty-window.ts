import { readJson } from '../../contract/json/json.ts';
import { memberTexts } from '../../contract/json/scan.ts';
import { isCalendarDate } from '../../contract/time/time.ts';
import type { Question, Reply } from '../../source/source.ts';

/**
 * What an answer without rows should say when its series ends before the window does: an empty table would pass for "there
 * is none". The window is often the default one, which nobody typed.
 */
export function emptyWindowNotes({ endpoint }: Question, reply: Pick<Reply, 'body' | 'parts'>): readonly string[] {
  if (endpoint.mirror?.window?.unit !== 'date' || (reply.parts && reply.parts.rows.length > 0)) return [];
  // Most answers hold no empty list anywhere, which is seen sooner than where the rows of one begin and end.
  if (!/\[\s*\]/.test(reply.body)) return [];
  const [rows, ...bounds] = memberTexts(reply.body, ['data', 'latest_available_date', 'start_date']);
  if (rows?.replaceAll(/\s/g, '') !== '[]') return [];
  const [latest, start] = bounds.map((text) => (text === undefined ? undefined : String(readJson(text))));
  if (latest === undefined || start === undefined || !isCalendarDate(latest) || latest >= start) return [];
  return [`No row lies on or after ${start}. The newest is that of ${latest}: --start ${latest} shows it.`];
}
