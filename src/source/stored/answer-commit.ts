import type { LiveReply } from '../../client/client.ts';
import { isSameForAll } from '../../contract/access.ts';
import type { Endpoint } from '../../contract/endpoint.ts';
import { type CutBody, cutBody } from '../../contract/json/body.ts';
import { isJsonObject, objectIn } from '../../contract/json/json.ts';
import { type Mapping, memberFor } from '../../contract/mapping.ts';
import type { Args } from '../../contract/params/param.ts';
import { addDays, instantOf, isCalendarDate } from '../../contract/time/time.ts';
import { listSpan, OPEN_END } from '../../coverage/intervals.ts';
import { beginningOf, watchedSpan } from '../../coverage/watched-span.ts';
import { askedDates, boundsOf } from '../../coverage/windows.ts';
import { MacroError } from '../../errors.ts';
import type { AnswerCommit, NewRow } from '../../mirror/api/page-commit.ts';
import type { AccessTag, KeyValue, SeriesKey } from '../../mirror/api/series.ts';
import { keyId } from '../../mirror/rules/columns.ts';
import { captureInputs } from '../answer/inputs.ts';
import { visibilityOf } from '../answer/keyless.ts';
import { questionText, seriesOfQuestion } from '../question.ts';
import type { Question } from '../source.ts';
import { isOrderedBy, isOrderedByEach, keyValues } from './page-order.ts';
import { cutToBase, type StoredPart, storedPartOf } from './stored-part.ts';

/** An answer of the service, on its way into the mirror. */
export interface ReceivedAnswer {
  readonly endpoint: Endpoint;
  readonly args: Args;
  readonly reply: LiveReply;
  readonly service: string;
  readonly access: AccessTag;
  /** Milliseconds. */
  readonly at: number;
  /** A later page of a feed: since when (Unix seconds) it shows every event, which only the service can tell. */
  readonly watched?: { readonly from: number | undefined };
}

interface PagePlaced {
  /** The asked window. */
  readonly from: string;
  readonly to: string;
  readonly offset: number;
  /** No row of the window follows. */
  readonly isLast: boolean;
  /** Several rows may share a date: those of an outermost one may go on beside the page. */
  readonly isShared: boolean;
  readonly order: 'newest' | 'oldest';
}

/** The access under which an answer is stored: `keyless` if a key makes no difference. */
export function accessOf(endpoint: Endpoint, access: AccessTag): AccessTag {
  return isSameForAll(endpoint.access) ? 'keyless' : access;
}

export function receivedSeries({ endpoint, args }: Question, service: string): SeriesKey {
  return { origin: service, ...seriesOfQuestion(endpoint, args) };
}

/** The commit of one answer: rows, envelope, validator and coverage, without members added to the base question. */
export function commitOfAnswer(received: ReceivedAnswer, cut: CutBody = cutReceived(received)): AnswerCommit {
  const { endpoint, args, reply, at } = received;
  const part = storedPartOf(received);
  const partial = reply.partial !== undefined;
  const access = accessOf(endpoint, received.access);
  const plain = cutToBase(cut, part.cut);
  const rows = rowsOf(plain);
  checkRows(endpoint, args, rows);
  const base = { ...received, args: part.base };
  return {
    series: receivedSeries(received, received.service),
    nature: reply.synthetic ? 'synthetic' : 'real',
    access,
    request: reply.request,
    question: questionText(endpoint, args, 'all'),
    rows,
    ...(partial || part.says === 'rows'
      ? { extent: 'adds' as const }
      : {
          envelope: {
            text: plain.envelopeText,
            inputs: captureInputs(endpoint, part.base, access === 'keyless' ? 'keyless' : 'keyed', at),
          },
          ...toldOf(base, { cut: plain, rows, says: part.says }),
        }),
    // A validator is that of the base question alone.
    ...(part.isBase && !partial && reply.etag !== undefined && { etag: reply.etag }),
    ...((partial || !part.isBase) && { excerpt: true }),
    ...(partial && { doubtful: true }),
    // Whoever asks for changes brings events, a person too.
    ...(endpoint.mirror?.sync.kind === 'cursor' && { arrived: { via: 'changes' as const } }),
    at,
  };
}

export function cutReceived({ endpoint, reply }: Pick<ReceivedAnswer, 'endpoint' | 'reply'>): CutBody {
  try {
    return cutBody(endpoint.body, reply.body);
  } catch (cause) {
    throw new MacroError('protocol', `The answer of ${endpoint.id} is not the JSON that it should be.`, { cause });
  }
}

/** Rows of a page as the mirror takes them. A row that the service shows from outside the window is no part of it. */
export function rowsOf(cut: CutBody): readonly NewRow[] {
  return cut.rows.filter(({ value }) => value.outside_requested_window !== true);
}

/** The facts of an answer about other rows and its window. One in another order than the key's says it once all of it is there. */
function toldOf(
  received: ReceivedAnswer,
  { cut, rows, says }: { cut: CutBody; rows: readonly NewRow[]; says: StoredPart['says'] },
): Pick<AnswerCommit, 'extent' | 'window' | 'covered'> {
  if (says === 'whole' && !isWholeWindow(received, cut)) return { extent: 'adds' };
  const covered = pageCoverage(received, cut, rows);
  const extent = extentOf(received, rows);
  const window = extent.extent === 'listed' && covered ? listedWindow(received, cut, { rows, covered }) : undefined;
  return { ...extent, ...(window && { window }), ...(covered && { covered }) };
}

/** The dates of which a page has every row; of an empty one where the answer says so. */
function listedWindow(
  { endpoint, access }: ReceivedAnswer,
  { envelope }: CutBody,
  { rows, covered }: { readonly rows: readonly NewRow[]; readonly covered: NonNullable<AnswerCommit['covered']> },
): AnswerCommit['window'] {
  if (endpoint.mirror?.window?.unit !== 'date') return undefined;
  const { requested_window_has_data: hasData, pagination, freemium_delay: delay } = envelope;
  if (rows.length === 0 && hasData !== false && objectIn(pagination).total_count !== 0) return undefined;
  const isWithheld = access === 'keyless' && endpoint.access.delayed && objectIn(delay).withheld_count !== 0;
  const { from, to } = covered;
  if (!isWithheld) return { from, to };
  const newest = dateIn(rows[0], endpoint.mirror);
  return newest === undefined ? undefined : { from, to: newest < String(to) ? newest : to };
}

function isWholeWindow({ args }: ReceivedAnswer, { envelope: { pagination } }: CutBody): boolean {
  return (args.offset ?? 0) === 0 && isJsonObject(pagination) && pagination.has_more === false;
}

function extentOf(
  { endpoint, args, at }: ReceivedAnswer,
  rows: readonly NewRow[],
): Pick<AnswerCommit, 'extent' | 'window'> {
  const mapping = endpoint.mirror;
  switch (mapping?.sync.kind) {
    case 'document':
      return { extent: 'replaces' };
    case 'window':
      return scheduleExtent({ endpoint, args, at }, rows);
    case 'history':
      return { extent: isOrderedBy(mapping.key.slice(0, 1), rows) ? 'listed' : 'adds' };
    case 'spans':
      return { extent: 'replaces', ...(mapping.window && { window: boundsOf(mapping.window, args, at) }) };
    case 'pages':
      return { extent: endpoint.paging.kind === 'offset' ? 'listed' : 'adds' };
    default:
      return { extent: 'adds' };
  }
}

/** The coverage of a series by a single answer. */
function pageCoverage(received: ReceivedAnswer, cut: CutBody, rows: readonly NewRow[]): AnswerCommit['covered'] {
  const mapping = received.endpoint.mirror;
  if (mapping?.sync.kind === 'cursor') return feedCoverage(received, cut);
  if (mapping?.sync.kind === 'sequence') return sequenceCoverage(received, rows, cut);
  if (mapping?.sync.kind === 'pages') return listCoverage(received, cut, rows);
  if (mapping?.sync.kind === 'spans') return spanCoverage(received, rows);
  if (mapping?.sync.kind === 'window') return scheduleCoverage(received, rows);
  if (isWhole(mapping)) return { from: '', to: '', rows: rows.length };
  const hasMore = toldMore(cut);
  return hasMore === undefined ? undefined : rangeCoverage(received, { rows, isLast: !hasMore });
}

/** Undefined where the answer does not say whether rows follow. */
function toldMore({ envelope }: CutBody): boolean | undefined {
  const pagination = isJsonObject(envelope.pagination) ? envelope.pagination : envelope;
  return typeof pagination.has_more === 'boolean' ? pagination.has_more : undefined;
}

/** The coverage by successive rows from an offset on: the window between them, or to its end if none follow. */
export function rangeCoverage(
  received: ReceivedAnswer,
  { rows, isLast }: { readonly rows: readonly NewRow[]; readonly isLast: boolean },
): AnswerCommit['covered'] {
  const { endpoint, args, at } = received;
  const mapping = endpoint.mirror;
  const [column] = mapping?.key ?? [];
  if (!mapping || !column || endpoint.paging.kind !== 'offset') return undefined;
  const { says, base } = storedPartOf(received);
  if (says === 'rows' || (mapping.window && mapping.window.unit !== 'date')) return undefined;
  const request = { args: visibleArgs({ ...received, args: base }), now: at, newest: dateIn(rows[0], mapping) };
  const { from, to } = mapping.sync.kind === 'pages' ? listSpan(at) : askedDates(mapping, request);
  const offset = Number(args.offset ?? 0);
  if (isLast && offset === 0) return { from, to, rows: rows.length };
  if (says === 'whole' || !isOrderedBy([column], rows)) return undefined;
  const dates = rows.map((row) => String(memberFor(row.value, column)).slice(0, 10));
  const isShared = mapping.key.length > 1;
  const span = spanOfPage(dates, { from, to, offset, isLast, isShared, order: mapping.order });
  return span && { ...span, rows: rows.length };
}

function dateIn(row: NewRow | undefined, { window }: Mapping): string | undefined {
  const date = window && row?.value[window.column];
  return typeof date === 'string' ? date : undefined;
}

/** A schedule without a start covers nothing before its first row, since the service's clock is not ours. */
function scheduleBounds(
  { endpoint, args, at }: Pick<ReceivedAnswer, 'endpoint' | 'args' | 'at'>,
  rows: readonly NewRow[],
) {
  const mapping = endpoint.mirror;
  if (!mapping?.window) return {};
  const { from, to } = boundsOf(mapping.window, args, at);
  const [first] = rows;
  const [column] = mapping.key;
  const begins = first && column ? instantOf(memberFor(first.value, column)) : undefined;
  const start = args[mapping.window.from] === undefined ? begins : Number(from);
  return { ...(start !== undefined && { from: start }), ...(to !== undefined && { to }) };
}

function scheduleExtent(
  parts: Pick<ReceivedAnswer, 'endpoint' | 'args' | 'at'>,
  rows: readonly NewRow[],
): Pick<AnswerCommit, 'extent' | 'window'> {
  const window = scheduleBounds(parts, rows);
  return window.from === undefined ? { extent: 'adds' } : { extent: 'replaces', window };
}

/** The coverage by a schedule: everything from its start on, or from our own clock on if nobody named a start. */
function scheduleCoverage(received: ReceivedAnswer, rows: readonly NewRow[]): AnswerCommit['covered'] {
  const { endpoint, args, at } = received;
  const window = endpoint.mirror?.window;
  const { from, to = OPEN_END } = window ? boundsOf(window, args, at) : {};
  return from === undefined ? undefined : { from, to, rows: rows.length };
}

/** A position tells nobody but the service where it stands, so that a page behind one covers nothing by itself. */
function feedCoverage({ endpoint, args, access, at, watched }: ReceivedAnswer, cut: CutBody): AnswerCommit['covered'] {
  const hasMore = toldMore(cut);
  const isFiltered = [args.currencies, args.indicators].some((list) => Array.isArray(list) && list.length > 0);
  if (hasMore === undefined || isFiltered) return undefined;
  const { from } = watched ?? { from: beginningOf(args.since, at) };
  return watchedSpan({ from, cut, hasMore, access: accessOf(endpoint, access), at });
}

/** The coverage by changes after a sequence, if none follow: otherwise its end would seem to be the end of the list. */
function sequenceCoverage({ args }: ReceivedAnswer, rows: readonly NewRow[], cut: CutBody): AnswerCommit['covered'] {
  if (toldMore(cut) !== false) return undefined;
  const after = Number(args.after_sequence ?? 0);
  const from = after === 0 ? 0 : after + 1;
  const to = rows.reduce((last, { value }) => Math.max(last, Number(value.change_sequence)), after);
  return to < from ? undefined : { from, to, rows: rows.length };
}

/** An unpaged answer about a span covers it, as far as it is over. */
function spanCoverage({ endpoint, args, at }: ReceivedAnswer, rows: readonly NewRow[]): AnswerCommit['covered'] {
  const { from, to } = endpoint.mirror?.window ? boundsOf(endpoint.mirror.window, args, at) : {};
  if (typeof from !== 'number' || typeof to !== 'number') return undefined;
  const end = Math.min(to, Math.floor(at / 1000));
  return end < from ? undefined : { from, to: end, rows: rows.length };
}

/** The coverage by a page of a list without a window: everything if it is the only page, else the dates of its rows. */
function listCoverage(received: ReceivedAnswer, cut: CutBody, rows: readonly NewRow[]): AnswerCommit['covered'] {
  const { endpoint, args, at } = received;
  const hasMore = toldMore(cut);
  if (hasMore === undefined) return undefined;
  if (endpoint.paging.kind === 'offset') return rangeCoverage(received, { rows, isLast: !hasMore });
  const isFirst = (args.cursor ?? args.before_id) === undefined;
  return isFirst && !hasMore ? { ...listSpan(at), rows: rows.length } : undefined;
}

/** The arguments with the window that the access allows: what lies before it was not answered. */
function visibleArgs({ endpoint, args, access, at }: ReceivedAnswer): Args {
  const caller = access === 'keyless' ? ({ kind: 'keyless' } as const) : ({ kind: 'keyed', plan: '' } as const);
  return visibilityOf(endpoint, args, caller, at).args;
}

/** True where one answer says everything that there is to say now. */
function isWhole(mapping: Mapping | undefined): boolean {
  return mapping?.sync.kind === 'document' || mapping?.sync.kind === 'snapshot';
}

/** The range that is covered again when the service says that the answer to these arguments has not changed. */
export function confirmedCoverage(
  endpoint: Endpoint,
  args: Args,
  at: number,
): { from: KeyValue; to: KeyValue } | undefined {
  const mapping = endpoint.mirror;
  if (isWhole(mapping)) return { from: '', to: '' };
  if (!mapping?.window || (mapping.sync.kind !== 'window' && mapping.sync.kind !== 'spans')) return undefined;
  const { from, to = OPEN_END } = boundsOf(mapping.window, args, at);
  const end = mapping.sync.kind === 'spans' ? Math.min(Number(to), Math.floor(at / 1000)) : to;
  return from === undefined || end < from ? undefined : { from, to: end };
}

/** The coverage by pages in succession from the newest row on. Rows of the last date may follow. */
export function headCoverage(
  { mirror, paging }: Endpoint,
  { rows, at }: { readonly rows: readonly NewRow[]; readonly at: number },
): AnswerCommit['covered'] {
  const [column] = mirror?.key ?? [];
  const last = column && rows.at(-1)?.value[column.name];
  const date = typeof last === 'string' ? last.slice(0, 10) : '';
  if (paging.kind !== 'offset' || !isCalendarDate(date)) return undefined;
  return { from: addDays(date, 1), to: listSpan(at).to, rows: rows.length };
}

/** The window of which a page with these dates, in the order of the answer, shows every row; undefined when there is none. */
function spanOfPage(dates: readonly string[], page: PagePlaced) {
  const [first, last] = [dates.at(0), dates.at(-1)];
  if (first === undefined || last === undefined || !dates.every(isCalendarDate)) return undefined;
  const isNewestFirst = page.order === 'newest';
  if (first !== last && first > last !== isNewestFirst) return undefined;
  const inward = (date: string, days: number) => (page.isShared ? addDays(date, days) : date);
  const way = isNewestFirst ? -1 : 1;
  const [front, back] = isNewestFirst ? [page.to, page.from] : [page.from, page.to];
  const begin = page.offset === 0 ? front : inward(first, way);
  const end = page.isLast ? back : inward(last, -way);
  const [from, to] = isNewestFirst ? [end, begin] : [begin, end];
  if (from > to) return undefined;
  if (page.offset === 0) return { from, to };
  const beside = page.isShared ? dates.filter((date) => date === first).length : 0;
  return { from, to, skipped: { rows: page.offset + beside, front, beside } };
}

/** Refuses rows that would make stored ones seem to vanish. @throws MacroError of kind `protocol`. */
export function checkRows(endpoint: Endpoint, args: Args, rows: readonly NewRow[]): void {
  const mapping = endpoint.mirror;
  if (!mapping) return;
  const [first] = mapping.key;
  const isEachOnce = first && mapping.key.length === 1 && isOrderedByEach(first, rows);
  if (!isEachOnce) refuseRepeated(endpoint, mapping, rows);
  if (mapping.sync.kind !== 'history' || mapping.window?.unit !== 'date' || first?.name !== mapping.window.column)
    return;
  const [from, to] = [args[mapping.window.from], args[mapping.window.to]];
  for (const row of rows) {
    const date = memberFor(row.value, first);
    if (typeof date !== 'string' || !isCalendarDate(date)) throw unfit(endpoint, `has a row dated '${String(date)}'`);
    const isInside = (typeof from !== 'string' || date >= from) && (typeof to !== 'string' || date <= to);
    if (!isInside) throw unfit(endpoint, `has a row of ${date}, which is outside of ${String(from)} to ${String(to)}`);
  }
  // Where the caller can choose the order it need not be that of the key.
  if (!isEachOnce && !endpoint.query.order && !isOrderedBy([first], rows))
    throw unfit(endpoint, 'has rows in no order');
}

function refuseRepeated(endpoint: Endpoint, mapping: Mapping, rows: readonly NewRow[]): void {
  const seen = new Set<string | number>();
  for (const row of rows) {
    const key = keyValues(row, mapping.key);
    if (!key) continue;
    const before = seen.size;
    if (seen.add(keyId(key)).size === before) throw unfit(endpoint, `lists ${key.join(' ')} twice`);
  }
}

function unfit(endpoint: Endpoint, what: string): MacroError {
  return new MacroError('protocol', `The answer of ${endpoint.id} ${what}.`, {
    code: 'unexpected_rows',
    hint: 'Nothing of it was stored. If it happens again, the service has changed.',
  });
}
