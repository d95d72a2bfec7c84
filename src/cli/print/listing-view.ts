import { isJsonObject, type Json, type JsonObject, objectIn } from '../../contract/json/json.ts';
import type { Availability } from '../../contract/time/moments.ts';
import { dateOf, daysBetween, isCalendarDate, isoSeconds } from '../../contract/time/time.ts';
import type { PartialAnswer } from '../../coverage/partial-answer.ts';
import { missingTexts } from '../../coverage/partial-mark.ts';
import type { Question, Reply } from '../../source/source.ts';
import type { ListingView } from './listing.ts';

export interface ListingViewParts {
  readonly question: Question;
  readonly reply: Reply;
  /** Milliseconds. */
  readonly now: number;
  /** All of it came out of a file. */
  readonly imported?: boolean;
  readonly envelope: JsonObject;
  readonly count: number;
  /** Read when they are needed. */
  readonly rows: readonly JsonObject[];
}

/** Facts beside the rows: their subject, source and age, and whether they were computed. Each is made where it is shown. */
export function listingView(parts: ListingViewParts): ListingView {
  const { envelope, question, reply, now } = parts;
  const spark = question.endpoint.cli?.spark;
  const end = question.args.end_date;
  const newest = () => (isNewestFirst(parts) ? parts.rows[0] : parts.rows.at(-1));
  return {
    get title() {
      const [at, row] = [reply.past?.at ?? now, newest()];
      // The age says how stale a series is. Coming releases have none, and for a window of the past it means nothing.
      const hasAge = spark !== undefined && (end === undefined || String(end) >= dateOf(at));
      const age = hasAge ? ageOf(row, { at, isNow: at === now, isOlder: rowsAfter(parts) > 0 }) : [];
      const source = [...sourceOf(envelope, row), ...age, ...originOf(envelope, row)];
      return [measuredSubject(parts), ...source, checkedAgo(parts), ...partialTitle(reply.partial)];
    },
    get lasting() {
      const source = [...sourceOf(envelope, newest()), ...originOf(envelope, newest())];
      return [lastingSubject(parts), ...source, checkedAt(parts), ...partialTitle(reply.partial)];
    },
    get spark() {
      return spark === undefined || parts.count < 2 ? [] : valuesOf(parts.rows, spark, isNewestFirst(parts));
    },
    get below() {
      return moreOf(parts);
    },
    get block() {
      return indicatorsOf(envelope, newest()) ?? forecastsOf(envelope);
    },
  };
}

function subjectOf({ question, envelope }: ListingViewParts): string {
  const { args, endpoint } = question;
  if (typeof args.base === 'string' && typeof args.quote === 'string') return `${args.base}/${args.quote}`;
  const words = Object.keys(endpoint.at).map((name) => String(args[name]));
  const unit = typeof envelope.unit === 'string' ? [envelope.unit] : [];
  const name = typeof envelope.name === 'string' ? envelope.name : undefined;
  if (words.length === 0) return name ?? endpoint.doc.summary;
  return [...words, ...(name ? [`(${[name, ...unit].join(', ')})`] : unit)].join(' ');
}

/** The subject with its measure and unit, where the words alone could be those of a rate or a price. */
function measuredSubject(parts: ListingViewParts): string {
  const { args, endpoint } = parts.question;
  const { measure_used: used = args.measure, requested_date: date } = parts.envelope;
  const subject = subjectOf(parts);
  const view = args.view === 'nodes' ? '%' : String(args.view);
  if (endpoint.cli?.comparesDates) return `Government bond curve of ${subject}: ${String(date ?? args.date)}, ${view}`;
  if (args.measure !== undefined) return `${subject} spread${used === 'auto' ? '' : ` of ${String(used)}`}, %`;
  return args.report === undefined ? subject : `${subject} ${String(args.report)}, contracts`;
}

/** A picture stands alone, so its title names the subject where the words alone do not: a currency, or a pair without its rate. */
function lastingSubject(parts: ListingViewParts): string {
  const { endpoint, args } = parts.question;
  const { name, unit } = parts.envelope;
  const words = Object.keys(endpoint.at);
  if (typeof name === 'string' && words.length === 2)
    return `${String(args.currency)}: ${[name, unit].filter((part) => typeof part === 'string').join(', ')}`;
  const isNamed =
    name !== undefined || endpoint.cli?.words.join(' ') === 'fx' || !['currency', 'quote'].includes(words.at(-1) ?? '');
  if (isNamed) return subjectOf(parts);
  const { measure_used: measure = args.measure } = parts.envelope;
  const more = [
    ...(measure === undefined ? [] : [` of ${measure}`]),
    ...(args.report === undefined ? [] : [`, ${args.report}`]),
  ];
  return `${subjectOf(parts)}: ${endpoint.doc.summary.replace(/:.*| of (a|two) .*/, '')}${more.join('')}`;
}

/** The first name among sources: a publisher is named by a text, or by an object with a name. */
export function firstName(sources: readonly unknown[]): string | undefined {
  const names = sources.map((source) => (isJsonObject(source) ? source.name : source));
  return names.find((name): name is string => typeof name === 'string' && name !== '');
}

function sourceOf(envelope: JsonObject, newest: JsonObject | undefined): readonly string[] {
  return [firstName([envelope.source, objectIn(envelope.provenance).publisher, newest?.source]) ?? []].flat();
}

function ageOf(
  newest: JsonObject | undefined,
  { at, isNow, isOlder }: { at: number; isNow: boolean; isOlder: boolean },
): readonly string[] {
  const date = newest?.date;
  if (typeof date !== 'string' || !isCalendarDate(date)) return [];
  if (isOlder) return [`up to ${date}`];
  const days = daysBetween(date, dateOf(at));
  if (days < 0) return [date];
  return [`${date} (${days === 0 ? (isNow ? 'today' : 'same day') : days === 1 ? '1 day old' : `${days} days old`})`];
}

function originOf(envelope: JsonObject, newest: JsonObject | undefined): readonly string[] {
  for (const place of [envelope.pair_metadata, newest?.source, newest]) {
    if (isJsonObject(place) && typeof place.is_derived === 'boolean')
      return [place.is_derived ? derivationOf(place) : 'direct'];
  }
  return [];
}

const DERIVATIONS: Readonly<Record<string, string>> = {
  inverse_of_direct_pair: 'inverse of',
  cross_via_anchor: 'cross of',
};

function derivationOf({ derivation_method: method, source_pair: pair }: JsonObject): string {
  const words = typeof method === 'string' ? DERIVATIONS[method] : undefined;
  return words && typeof pair === 'string' ? `${words} ${pair.replaceAll(',', ' and ')}` : 'derived';
}

/** How many newer rows there are behind these, where the oldest come first. */
function rowsAfter(parts: ListingViewParts): number {
  const { total_count: total, offset } = objectIn(parts.envelope.pagination);
  if (typeof total !== 'number' || parts.count === 0 || isNewestFirst(parts)) return 0;
  return total - parts.count - (typeof offset === 'number' ? offset : 0);
}

function moreOf(parts: ListingViewParts): readonly string[] {
  const { envelope, count } = parts;
  const { endpoint } = parts.question;
  const { pagination } = envelope;
  const { total_count: total, offset, has_more: more } = isJsonObject(pagination) ? pagination : envelope;
  if (count === 0) return [];
  if (typeof total === 'number' && total > count) {
    const first = typeof offset === 'number' && offset > 0 ? offset + 1 : undefined;
    const these = first === undefined ? String(count) : `${first} to ${first + count - 1}`;
    if (rowsAfter(parts) > 0 && endpoint.cli?.spark !== undefined)
      return [
        `${these} of ${total} rows, the oldest first: --offset ${total - count} shows the newest, --all shows all.`,
      ];
    return [`${these} of ${total} rows; --all or --limit shows more.`];
  }
  return more === true ? [`${count} rows, and there are more; --all or --limit shows them.`] : [];
}

/** Ranges that a title names. */
const MAX_RANGES = 3;

/** The part of a title that lists the missing ranges of a partial answer. */
export function partialTitle(partial: PartialAnswer | undefined): readonly string[] {
  if (!partial) return [];
  const missing = missingTexts(partial.mark.missing);
  if (missing.length === 0) return ['PARTIAL'];
  const more = missing.length > MAX_RANGES ? ', ...' : '';
  return [`PARTIAL, without ${missing.slice(0, MAX_RANGES).join(', ')}${more}`];
}

const KNOWN: Readonly<Record<Availability, string>> = {
  public: 'as the public knew it on',
  captured: 'as the service had captured it by',
  mirrored: 'as the mirror had it on',
};

/** Who answered, and how old that is. */
export function checkedAgo({
  question,
  reply,
  now,
  imported,
}: Pick<ListingViewParts, 'question' | 'reply' | 'now' | 'imported'>): string {
  if (reply.from === 'live') return 'live';
  if (question.endpoint.local) return 'computed here';
  if (reply.past) return `${KNOWN[reply.past.by]} ${isoSeconds(Math.floor(reply.past.at / 1000))}`;
  if (reply.asOf === 0) return 'mirror, never checked';
  const minutes = Math.max(0, Math.floor((now - reply.asOf) / 60_000));
  const what = imported ? 'mirror, imported' : 'mirror, checked';
  if (minutes < 1) return `${what} just now`;
  if (minutes < 120) return `${what} ${minutes} min ago`;
  const hours = Math.floor(minutes / 60);
  return `${what} ${hours < 48 ? `${hours} h` : `${Math.floor(hours / 24)} days`} ago`;
}

/** The same in moments that stay true. */
export function checkedAt(parts: Pick<ListingViewParts, 'question' | 'reply' | 'now' | 'imported'>): string {
  const { reply, now, question, imported } = parts;
  if (question.endpoint.local || reply.past || (reply.from === 'mirror' && reply.asOf === 0)) return checkedAgo(parts);
  const at = isoSeconds(Math.floor((reply.from === 'live' ? now : reply.asOf) / 1000));
  if (reply.from === 'live') return `asked ${at}`;
  return `mirror, ${imported ? 'imported' : 'checked'} ${at}`;
}

function isNewestFirst({ rows, question }: ListingViewParts): boolean {
  const [first, last] = [rows[0]?.date, rows.at(-1)?.date];
  if (typeof first === 'string' && typeof last === 'string' && first !== last) return first > last;
  return question.endpoint.mirror?.order !== 'oldest';
}

function valuesOf(rows: readonly JsonObject[], field: string, newestFirst: boolean): readonly (number | null)[] {
  const values = rows.map((row) => (typeof row[field] === 'number' ? row[field] : null));
  return newestFirst ? values.toReversed() : values;
}

/** Values at the newest row, such as indicators of a pair. A partial answer gives none: a newer row may be missing. */
function indicatorsOf(envelope: JsonObject, newest: JsonObject | undefined): ListingView['block'] | undefined {
  const { indicators } = envelope;
  if (!isJsonObject(indicators)) return undefined;
  const when = typeof newest?.date === 'string' ? ` on ${newest.date}` : '';
  return {
    title: `Indicators${when}`,
    lines: Object.entries(indicators).map(([name, value]) => [
      name,
      valueText(isGiven(value) ? value : newest?.[name]),
    ]),
  };
}

const isGiven = (value: Json): boolean => (isJsonObject(value) ? Object.values(value).some(isGiven) : value !== null);

/** Forecasts below a table; `--format json` has all of them. */
const MAX_FORECASTS = 12;

/** Forecasts of authorities, which keep their own periods and so are no rows of the table. The newest ones come first. */
function forecastsOf({ official_forecasts: forecasts }: JsonObject): ListingView['block'] | undefined {
  const all = Array.isArray(forecasts) ? forecasts.filter(isJsonObject) : [];
  if (all.length === 0) return undefined;
  const text = (value: Json | undefined) => (typeof value === 'string' ? value : '');
  const newest = all
    .toSorted((a, b) => text(b.publication_date).localeCompare(text(a.publication_date)))
    .slice(0, MAX_FORECASTS);
  return {
    title: newest.length < all.length ? `Official forecasts, ${newest.length} of ${all.length}` : 'Official forecasts',
    lines: newest.map((one) => [
      [one.prediction_source, one.variable, one.target_period].map(text).filter(Boolean).join(' '),
      `${valueText(one.predicted_value)} ${text(one.unit)}  published ${text(one.publication_date)}`,
    ]),
  };
}

function valueText(value: Json | undefined): string {
  if (value === null || value === undefined) return '-';
  if (!isJsonObject(value)) return String(value);
  return Object.entries(value)
    .map(([name, part]) => `${name} ${valueText(part)}`)
    .join('  ');
}
