import { type JsonObject, objectIn, parseObject } from '../../contract/json/json.ts';
import { addDays, isCalendarDate, isoSeconds } from '../../contract/time/time.ts';
import { parseDecimal, subtract } from '../../derive/decimal.ts';
import type { JournalEvent } from '../../mirror/api/journal.ts';
import type { MirrorReader } from '../../mirror/api/mirror.ts';
import { cleanText } from './clean.ts';
import { spelled } from './spelled.ts';

/** One release as a person reads it: when, what, the value as published, and how it moved. */
export async function releaseLine(event: JournalEvent, mirror: Pick<MirrorReader, 'find' | 'rows'>): Promise<string> {
  const { latest_announcement: latest } = parseObject(event.text);
  const print = objectIn(latest);
  const value = spelled(event.text, 'latest_announcement', 'val');
  const previous =
    spelled(event.text, 'latest_announcement', 'previous_value') ?? (await previousValue(event, print, mirror));
  const period = typeof print.date === 'string' ? print.date : '';
  const moved = previous === undefined ? '' : `(previous ${previous}${changeText(value, previous)})`;
  const parts = [
    isoSeconds(event.release ?? event.timestamp),
    event.currency.toUpperCase(),
    event.indicator,
    period,
    value ?? 'no value',
    moved,
  ];
  return cleanText(parts.filter((part) => part !== '').join('  '));
}

/** The value of the period before, where the mirror holds it. */
async function previousValue(
  { origin, currency, indicator }: JournalEvent,
  { date }: JsonObject,
  mirror: Pick<MirrorReader, 'find' | 'rows'>,
): Promise<string | undefined> {
  if (typeof date !== 'string' || !isCalendarDate(date)) return undefined;
  const scope = { currency: currency.toUpperCase(), indicator };
  const stored = await mirror.find({ endpoint: 'announcements', scope, exact: true });
  const series = stored.find((one) => one.origin === origin);
  const [before] = series ? await mirror.rows(series, { to: addDays(date, -1) }, { limit: 1, offset: 0 }) : [];
  return before && spelled(before.text, 'val');
}

function changeText(value: string | undefined, previous: string): string {
  const [now, before] = [parseDecimal(value ?? ''), parseDecimal(previous)];
  if (!now || !before) return '';
  const { units, scale } = subtract(now, before);
  const digits = String(units < 0n ? -units : units).padStart(scale + 1, '0');
  const text = scale === 0 ? digits : `${digits.slice(0, -scale)}.${digits.slice(-scale)}`;
  return `, ${units === 0n ? '±' : units < 0n ? '-' : '+'}${text}`;
}
