/** Brings the real release times of a calendar file into the mirror. */
import { type JsonText, parseObject, toJsonText } from '../../contract/json/json.ts';
import { joinRanges } from '../../contract/time/coverage.ts';
import { dateOf, dateToMs, isCalendarDate, isoSeconds, parseInstant } from '../../contract/time/time.ts';
import { type CoveredReleases, coveredReleases } from '../../coverage/intervals.ts';
import { MacroError } from '../../errors.ts';
import type { Mirror } from '../../mirror/api/mirror.ts';
import type { ImportCommit, NewRow } from '../../mirror/api/page-commit.ts';
import type { StoredSeries } from '../../mirror/api/series.ts';
import { retimeRequest } from '../../mirror/rules/as-of/undone.ts';
import { FILE_ACCESS } from '../../mirror/rules/coverage.ts';
import { periodEnd } from '../generic/release-rule.ts';
import { dateIn, refuse } from '../read/cells.ts';
import type { OpenedFile } from '../read/open-file.ts';
import { readClock, type WallTime } from '../read/wall-clock.ts';
import { fileRequest } from '../request.ts';
import { areTimedByRule, CALENDAR, readReleaseTimes, withRealTimes } from './release-times.ts';

export interface CalendarImport {
  readonly file: OpenedFile;
  readonly mirror: Pick<Mirror, 'find' | 'rows' | 'commitPages'>;
  readonly currency: string;
  /** Indicators that each event releases. */
  readonly indicators: readonly string[];
  /** Part of the title of the events that count; all when left out. */
  readonly match: string | undefined;
  readonly zone: string | undefined;
  /** The endpoint whose values get the times. */
  readonly endpoint: string;
  /** Milliseconds. */
  readonly now: number;
}

export interface CalendarReport {
  readonly releases: number;
  /** Events of a day without a time. */
  readonly withoutTime: number;
  /** Rows of values that have real times now. */
  readonly retimed: number;
  readonly from: string;
  readonly to: string;
}

/** Writes the releases of a file, and the times that they are of stored values. @throws MacroError of kind `usage`. */
export async function importCalendar(input: CalendarImport): Promise<CalendarReport> {
  const { file, mirror, match = '' } = input;
  const events = meant(readCalendarFile(file, input.zone), match.toLowerCase());
  const timed = events.filter(({ at }) => at !== undefined);
  const times = timed.flatMap(({ at }) => at ?? []);
  if (times.length === 0)
    throw refuse(
      match === '' ? 'it has no release with a time.' : `no release with a time has '${match}' in its title.`,
    );
  const [first, last] = [Math.min(...times), Math.max(...times)];
  await mirror.commitPages([await calendarCommit(input, events, { first, last })]);
  const retimed = await retimeStored(input);
  return {
    releases: timed.length * input.indicators.length,
    withoutTime: events.length - timed.length,
    retimed,
    from: isoSeconds(first),
    to: isoSeconds(last),
  };
}

/** Events whose title equals this one, apart from a period; if there are none, events whose title contains it. */
function meant(events: readonly CalendarEntry[], match: string): readonly CalendarEntry[] {
  const nameOf = ({ title }: CalendarEntry) => title.toLowerCase().replace(/(?:,| for| -) .*\b\d{4}\b.*$/, '');
  const same = events.filter((event) => nameOf(event) === match);
  return same.length > 0 ? same : events.filter(({ title }) => title.toLowerCase().includes(match));
}

/** All rows of the calendar of files: those of other indicators, and of other times, stay. A day without a time is not covered. */
async function calendarCommit(
  { mirror, file, currency, indicators, now }: CalendarImport,
  events: readonly CalendarEntry[],
  { first, last }: { readonly first: number; readonly last: number },
): Promise<ImportCommit> {
  const origin = `import:${CALENDAR}`;
  const stored = (await mirror.find({ endpoint: CALENDAR, scope: { currency }, exact: true })).find(
    (series) => series.origin === origin,
  );
  const before = stored ? await mirror.rows(stored, {}) : [];
  const others = before.filter(({ columns: { release, announcement_datetime: at } }) => {
    return !indicators.includes(String(release)) || Number(at) < first || Number(at) > last;
  });
  const range = { from: first, to: lastSecondOf(last) };
  const earlier = stored?.envelope ? coveredReleases(parseObject(stored.envelope.text)) : [];
  const merged = mergeReleases([...earlier, ...indicators.map((indicator) => ({ indicator, ...range }))]);
  const days = events.flatMap(({ day }) => day ?? []);
  const covered = merged.flatMap((one) => (indicators.includes(one.indicator) ? withoutDays(one, days) : [one]));
  const rows = new Map<string, NewRow>();
  const add = (text: JsonText) => {
    const value = parseObject(text);
    rows.set(String(value.calendar_event_id), { text, value });
  };
  for (const { text } of others) add(text);
  for (const event of events)
    for (const indicator of event.at === undefined ? [] : indicators) {
      const id = `${currency.toLowerCase()}_${indicator}_${event.at}`;
      const before = rows.get(id)?.value.date;
      // Two periods may come out at once.
      const isOther = before !== undefined && event.period !== undefined && before !== event.period;
      add(eventText(event, { indicator, id: isOther ? `${id}_${event.period}` : id }));
    }
  return {
    series: { origin, endpoint: CALENDAR, scope: { currency } },
    nature: 'real',
    access: FILE_ACCESS,
    request: fileRequest({ format: { id: CALENDAR }, file }, { from: dateOf(first * 1000), to: dateOf(last * 1000) }),
    question: `import ${CALENDAR} ${currency}`,
    envelope: {
      text: toJsonText(membersOf(currency, covered)),
      inputs: `import ${CALENDAR} ${currency} sha256:${file.digest}`,
    },
    rows: [...rows.values()].sort(
      (a, b) => Number(a.value.announcement_datetime) - Number(b.value.announcement_datetime),
    ),
    extent: 'replaces',
    at: now,
  };
}

/** Whose calendar it is, only the person knows who brought it. */
const membersOf = (currency: string, covered: readonly CoveredReleases[]) => ({
  currency,
  covered_releases: covered.map(({ indicator, from, to }) => ({
    indicator,
    from: isoSeconds(Number(from)),
    to: isoSeconds(Number(to)),
  })),
  data_quality: { source_type: 'private', is_official: false },
});

/** A file reaches the end of its last day. */
const lastSecondOf = (at: number): number => dateToMs(dateOf(at * 1000)) / 1000 + 86_399;

function mergeReleases(covered: readonly CoveredReleases[]): readonly CoveredReleases[] {
  const byIndicator = Map.groupBy(covered, ({ indicator }) => indicator);
  return [...byIndicator].flatMap(([indicator, ranges]) =>
    joinRanges(ranges).map((range) => ({ indicator, ...range })),
  );
}

/** Seconds by which a day begins before that of UTC somewhere, and ends behind it. */
const EARLIEST = 14 * 3600;
const LATEST = 12 * 3600;

function withoutDays(covered: CoveredReleases, days: readonly string[]): readonly CoveredReleases[] {
  return days.reduce<readonly CoveredReleases[]>(
    (ranges, day) => {
      const start = dateToMs(day) / 1000;
      const [before, behind] = [start - EARLIEST - 1, start + 86_400 + LATEST];
      return ranges.flatMap((one) => {
        if (Number(one.to) <= before || Number(one.from) >= behind) return [one];
        return [
          { ...one, to: before },
          { ...one, from: behind },
        ].filter(({ from, to }) => from <= to);
      });
    },
    [covered],
  );
}

interface EventName {
  readonly id: string;
  readonly indicator: string;
}

function eventText({ at = 0, title, period }: CalendarEntry, { id, indicator }: EventName): JsonText {
  return toJsonText({
    calendar_event_id: id,
    announcement_datetime: at,
    release: indicator,
    ...(title !== '' && { name: title }),
    announcement_datetime_utc: isoSeconds(at),
    release_date_confirmed: true,
    ...(period !== undefined && { date: period }),
  });
}

/** Gives stored values of files the real times. The public never knew them at their earlier dates. */
async function retimeStored({ mirror, currency, indicators, endpoint, now }: CalendarImport): Promise<number> {
  const timesOf = await readReleaseTimes(mirror, [currency], now);
  const commits: ImportCommit[] = [];
  for (const series of await mirror.find({ endpoint, scope: { currency } })) {
    const times = series.origin.startsWith('import:') ? timesOf(series.scope) : undefined;
    if (!times || !indicators.includes(series.scope.indicator ?? '')) continue;
    const isByRule = areTimedByRule(series.envelope ? parseObject(series.envelope.text) : {});
    let open: NewRow[] = [];
    for (const { text } of await mirror.rows(series, {})) {
      const real = withRealTimes({ text, value: parseObject(text) }, times, isByRule);
      if (real) open.push(real);
      else {
        if (open.length > 0) commits.push(retimed(series, open, now));
        open = [];
      }
    }
    if (open.length > 0) commits.push(retimed(series, open, now));
  }
  await mirror.commitPages(commits);
  return commits.reduce((sum, { rows }) => sum + rows.length, 0);
}

function retimed({ origin, endpoint, scope }: StoredSeries, rows: readonly NewRow[], now: number): ImportCommit {
  const dates = rows.map(({ value }) => String(value.date)).sort();
  return {
    series: { origin, endpoint, scope },
    nature: 'real',
    access: FILE_ACCESS,
    request: retimeRequest({ from: dates[0] ?? '', to: dates.at(-1) ?? '' }),
    question: `import ${CALENDAR} of ${Object.values(scope).join('/')}`,
    rows,
    extent: 'adds',
    at: now,
  };
}

/** One event of a calendar. */
export interface CalendarEntry {
  /** Unix seconds; undefined for a day without a time, which says nothing of the minute. */
  readonly at?: number;
  /** A day without a time. */
  readonly day?: string;
  readonly title: string;
  /** End of the reference period, where the file states it. */
  readonly period: string | undefined;
  readonly line: number;
}

type When = Pick<CalendarEntry, 'at' | 'day'>;

/** Names of zones that calendars write and the zone database does not know. */
const OTHER_ZONES: ReadonlyMap<string, string> = new Map([
  ['Eastern Standard Time', 'America/New_York'],
  ['Central European Standard Time', 'Europe/Berlin'],
  ['W. Europe Standard Time', 'Europe/Berlin'],
  ['GMT Standard Time', 'Europe/London'],
]);

/** The events in the order of the file. `zone` is that of times that name none. */
export function readCalendarFile(file: OpenedFile, zone: string | undefined): readonly CalendarEntry[] {
  return /^\W*BEGIN:VCALENDAR/i.test(file.head) ? eventsOf(file, zone) : rowsOf(file, zone);
}

interface ContentLine {
  readonly name: string;
  readonly zone: string | undefined;
  readonly value: string;
  readonly line: number;
}

function eventsOf(file: OpenedFile, zone: string | undefined): readonly CalendarEntry[] {
  const events: CalendarEntry[] = [];
  let open: ContentLine[] | undefined;
  for (const one of contentLines(textOf(file))) {
    if (one.name === 'BEGIN' && one.value === 'VEVENT') open = [];
    else if (one.name === 'END' && one.value === 'VEVENT' && open) {
      const start = open.find(({ name }) => name === 'DTSTART');
      const isOff = open.some(({ name, value }) => name === 'STATUS' && value === 'CANCELLED');
      const title = open.find(({ name }) => name === 'SUMMARY')?.value ?? '';
      if (!start) throw refuse('its event has no DTSTART.', { line: one.line });
      if (!isOff) events.push({ ...timeOf(start, zone), title, period: periodIn(title), line: start.line });
      open = undefined;
    } else open?.push(one);
  }
  if (open) throw refuse('its last event has no end: the file was cut off.');
  return events;
}

/** A long line goes on in the next one, behind a blank. Lines of the BEA end with one carriage return too many. */
function* contentLines(text: string): Generator<ContentLine> {
  const unfolded: { text: string; line: number }[] = [];
  for (const [i, line] of text.split(/\r*\n/).entries()) {
    const last = unfolded.at(-1);
    if (last && /^[ \t]/.test(line)) last.text += line.slice(1);
    else unfolded.push({ text: line, line: i + 1 });
  }
  for (const { text: whole, line } of unfolded) {
    const [, name, parameters = '', value = ''] = /^([A-Za-z-]+)((?:;[^:"]*(?:"[^"]*")?)*):(.*)$/.exec(whole) ?? [];
    if (name === undefined) continue;
    const [, zone] = /;TZID="?([^;:"]+)"?/i.exec(parameters) ?? [];
    yield { name: name.toUpperCase(), zone, value: value.replaceAll(/\\([,;\\])/g, '$1').trim(), line };
  }
}

function timeOf({ value, zone: own, line }: ContentLine, zone: string | undefined): When {
  const [, year, month, day, hour, minute, second = '00', utc] =
    /^(\d{4})(\d\d)(\d\d)(?:T(\d\d)(\d\d)(\d\d)?(Z)?)?$/.exec(value) ?? [];
  const date = `${year}-${month}-${day}`;
  if (!isCalendarDate(date)) throw refuse(`'${value}' is no time such as 20261106T083000.`, { line });
  if (hour === undefined) return { day: date };
  return { at: instantIn({ date, clock: `${hour}:${minute}:${second}`, line }, utc ? 'UTC' : (own ?? zone)) };
}

function instantIn(time: WallTime, named: string | undefined): number {
  const hint = 'Give the zone of its times: --zone America/New_York';
  if (named === undefined) throw refuse('its time names no zone.', { line: time.line, hint });
  try {
    return readClock(time, OTHER_ZONES.get(named) ?? named.replace('-', '/'));
  } catch (cause) {
    if (cause instanceof MacroError) throw cause;
    throw refuse(`'${named}' is no zone that is known.`, { line: time.line, cause, hint });
  }
}

const COLUMNS = {
  datetime: ['datetime', 'release_datetime', 'timestamp', 'announcement_datetime'],
  date: ['date', 'release_date', 'day'],
  time: ['time', 'release_time'],
  period: ['period', 'reference_period', 'reference_month', 'for'],
  title: ['event', 'release', 'title', 'name', 'summary'],
} as const;

function rowsOf(file: OpenedFile, zone: string | undefined): readonly CalendarEntry[] {
  const records = file.records({ separator: ',' })[Symbol.iterator]();
  const header = records.next().value?.cells.map((title: string) => title.toLowerCase().replaceAll(' ', '_')) ?? [];
  const placeOf = (names: readonly string[]) => header.findIndex((title: string) => names.includes(title));
  const places = Object.fromEntries(Object.entries(COLUMNS).map(([name, names]) => [name, placeOf(names)]));
  const { datetime = -1, date = -1, time = -1, period = -1, title = -1 } = places;
  if (datetime < 0 && (date < 0 || time < 0))
    throw refuse('its header has no times.', {
      hint: 'Name the columns datetime, or date and time; period and event may follow.',
    });
  const events: CalendarEntry[] = [];
  for (let next = records.next(); !next.done; next = records.next()) {
    const { cells, line } = next.value;
    const at = (place: number) => (cells[place] ?? '').trim();
    const stated = at(period);
    const end = stated === '' ? undefined : periodIn(stated);
    if (stated !== '' && end === undefined)
      throw refuse(`'${stated}' is no period such as 2026-10, 2026-Q3 or October 2026.`, { line });
    const when = datetime >= 0 ? at(datetime) : `${dayOf(at(date))} ${clockOf(at(time))}`.trim();
    events.push({ ...cellTime(when, line, zone), title: at(title), period: end, line });
  }
  return events;
}

/** `Nov. 10, 2026` as a date; any other text as it is. */
function dayOf(text: string): string {
  const [, name = '', day = '', year] = /^([A-Z][a-z]{2})[a-z]*\.? (\d{1,2}), (\d{4})$/.exec(text) ?? [];
  return (year === undefined ? undefined : dateIn(`${day} ${name} ${year}`, 'D MMM YYYY')) ?? text;
}

/** `08:30 AM` as it stands on a clock of 24 hours; any other text as it is. */
function clockOf(text: string): string {
  const [, hours, minutes, half] = /^(\d{1,2}):(\d\d) ?([AP])\.?M\.?$/i.exec(text) ?? [];
  if (half === undefined || Number(hours) > 12) return text;
  return `${(Number(hours) % 12) + (half.toUpperCase() === 'P' ? 12 : 0)}:${minutes}`;
}

function cellTime(text: string, line: number, zone: string | undefined): When {
  const [, date = '', clock] = /^(\d{4}-\d\d-\d\d)(?:[T ](\d{1,2}:\d\d(?::\d\d)?))?$/.exec(text) ?? [];
  if (isCalendarDate(date)) return clock === undefined ? { day: date } : { at: instantIn({ date, clock, line }, zone) };
  const stated = /\d:\d\d.*(?:Z|[+-]\d\d:?\d\d)$/.test(text) ? parseInstant(text) : undefined;
  if (stated === undefined) throw refuse(`'${text}' is no time such as 2026-11-06 08:30.`, { line });
  return { at: stated };
}

const ORDINALS: Readonly<Record<string, string>> = { first: '1', second: '2', third: '3', fourth: '4' };

/** The end of the period that a text names: `2026-10`, `2026-10-31`, `October 2026`, `2026-Q3`, `3rd Quarter 2026`. */
function periodIn(text: string): string | undefined {
  if (isCalendarDate(text)) return text;
  const month = /^(\d{4})-(\d\d)$/.exec(text);
  if (month && isCalendarDate(`${text}-01`)) return periodEnd(`${text}-01`, 'month');
  const [, yearOfQ, q, qth, , yearAfter] =
    /(?:(\d{4})[- ]?Q([1-4]))|(?:\b([1-4]|first|second|third|fourth)(st|nd|rd|th)? quarter(?: of| and year)? (\d{4}))/i.exec(
      text,
    ) ?? [];
  const quarter = q ?? ORDINALS[qth?.toLowerCase() ?? ''] ?? qth;
  const year = yearOfQ ?? yearAfter;
  if (quarter !== undefined && year !== undefined)
    return periodEnd(`${year}-${String(3 * Number(quarter) - 2).padStart(2, '0')}-01`, 'quarter');
  const [, name = '', of] = /\b(jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]* (\d{4})\b/i.exec(text) ?? [];
  const first = dateIn(`${name} ${of}`, 'MMM YYYY');
  return first && periodEnd(first, 'month');
}

function textOf(file: OpenedFile): string {
  return new TextDecoder('utf-8').decode(file.bytes());
}
