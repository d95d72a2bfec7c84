import { hash } from 'node:crypto';
import type { Endpoint } from '../contract/endpoint.ts';
import type { BodyRow, CutBody } from '../contract/json/body.ts';
import { isJsonObject, type Json, type JsonObject } from '../contract/json/json.ts';
import { memberFor } from '../contract/mapping.ts';
import type { Args } from '../contract/params/params.ts';
import { MacroError } from '../errors.ts';
import type { ClientRequest, LivePage, LiveReply, Pagination } from './client.ts';

/** A reply with its body cut; a 304 has an empty one. */
export interface CutReply {
  readonly reply: LiveReply;
  readonly cut: CutBody;
}

/** Where a walk stands after a page. */
interface PageStep {
  readonly pagination: Pagination | undefined;
  readonly offset: number;
  readonly total: number | undefined;
  /** How to ask for the next page, as arguments and as one text; undefined on the last page. */
  readonly next: { readonly text: string; readonly args: Args } | undefined;
}

/** Judges each page of one walk by the arguments that it was asked with and by the pages before it. */
export type Judge = (cut: CutBody, question: Args) => PageStep;

/** How a kind of paging that is no offset continues: what the answer gives, and what the next question takes. */
interface Handle {
  readonly given: string;
  readonly taken: string;
}

const HANDLES = {
  cursor: { given: 'next_cursor', taken: 'since' },
  vintage: { given: 'next_cursor', taken: 'before_id' },
  checkpoint: { given: 'next_cursor', taken: 'cursor' },
  sequence: { given: 'next_after_sequence', taken: 'after_sequence' },
} as const satisfies Record<string, Handle>;

/**
 * Walks pages, each asked by the position of the last and the first `dataset_version`, so that changes are refused. No
 * generator: its frame would hold a page, and a sync has thousands of walks.
 */
export function walkPages(
  ask: (request: ClientRequest) => Promise<CutReply>,
  request: ClientRequest,
  resume: { readonly offset: number; readonly total: number | undefined } | undefined,
): AsyncIterable<LivePage> {
  const { endpoint } = request;
  const judge = judgeOf(endpoint, resume?.total);
  const checkRepeats = createRepeatGuard(endpoint);
  const pin = createPin(endpoint);
  let coming: ClientRequest | undefined =
    resume && endpoint.paging.kind === 'offset' ? at(request, { offset: resume.offset }) : request;

  async function next(): Promise<IteratorResult<LivePage, undefined>> {
    const request = coming;
    coming = undefined;
    if (!request) return { done: true, value: undefined };
    const { reply, cut } = await ask(request);
    if (reply.status === 304)
      return { value: { ...reply, cut, pagination: undefined, offset: 0, next: undefined, total: undefined } };
    checkRepeats(cut);
    const pinned = pin(cut.envelope);
    const { next: further, ...place } = judge(cut, request.args);
    const { ifNoneMatch: _, ...rest } = request;
    coming = further && at(rest, { ...further.args, ...pinned });
    return { value: { ...reply, cut, ...place, next: further?.text } };
  }

  return { [Symbol.asyncIterator]: () => ({ next }) };
}

function at(request: ClientRequest, args: Args): ClientRequest {
  return { ...request, args: { ...request.args, ...args } };
}

function judgeOf(endpoint: Endpoint, total: number | undefined): Judge {
  const { kind } = endpoint.paging;
  if (kind === 'offset') return judgeOffsets(endpoint, total);
  if (kind !== 'none') return judgePositions(endpoint, kind);
  return (cut) => {
    const pagination = paginationIn(cut.envelope);
    if (pagination?.has_more)
      throw protocolViolation(endpoint, 'an answer that has no pages says that there are more rows');
    return { pagination, offset: 0, total: undefined, next: undefined };
  };
}

/** Remembers the version of the first page, which later ones must share; one of another form is never sent. */
function createPin(endpoint: Endpoint): (envelope: JsonObject) => Args {
  let version: string | undefined;
  return ({ dataset_version: pageVersion }) => {
    if (endpoint.versioned && typeof pageVersion === 'string') {
      if (version !== undefined && pageVersion !== version)
        throw snapshotChanged(endpoint, 'the dataset version is another one');
      version = pageVersion;
    }
    return version !== undefined && /^[0-9a-f]{64}$/.test(version) ? { dataset_version: version } : {};
  };
}

/** The `pagination` object of an answer; undefined when there is none. */
function paginationIn(envelope: JsonObject): Pagination | undefined {
  const raw = envelope.pagination;
  if (!isJsonObject(raw)) return undefined;
  return {
    has_more: raw.has_more === true,
    next_offset: count(raw.next_offset),
    total_count: count(raw.total_count),
    raw,
  };
}

/** A whole number from zero up; undefined for anything else. */
export function count(value: Json | undefined): number | undefined {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : undefined;
}

/**
 * Judges pages by `limit` and `offset`: echo, count, next offset and total must agree. See docs/interface.md#pages.
 * @throws MacroError of kind `incomplete` or `protocol`.
 */
export function judgeOffsets(endpoint: Endpoint, knownTotal: number | undefined): Judge {
  let total = knownTotal;
  return (cut, question) => {
    const pagination = paginationIn(cut.envelope);
    if (!pagination || typeof pagination.raw.has_more !== 'boolean')
      throw protocolViolation(endpoint, 'an answer has no pagination object with has_more');
    const page: Page = { cut, pagination, question: question, offset: count(question.offset) ?? 0 };
    checkOwnCounts(endpoint, page);
    // Rows missing in a mirror still count as places in its pages.
    if (cut.isPartial) return { pagination, offset: page.offset, total: undefined, next: partialNext(endpoint, page) };
    if (total !== undefined && pagination.total_count !== total)
      throw snapshotChanged(
        endpoint,
        `first there were ${total} rows, then ${pagination.total_count ?? 'an unknown number'}`,
      );
    total = pagination.total_count;
    checkEnd(endpoint, page);
    const end = page.offset + cut.rows.length;
    const next = pagination.has_more ? { text: String(end), args: { offset: end } } : undefined;
    return { pagination, offset: page.offset, total, next };
  };
}

function partialNext(endpoint: Endpoint, { pagination, offset }: Page): ReturnType<Judge>['next'] {
  const { has_more, next_offset } = pagination;
  if (!has_more) return undefined;
  if (next_offset === undefined || next_offset <= offset)
    throw protocolViolation(endpoint, `the page after ${offset} should begin behind it`);
  return { text: String(next_offset), args: { offset: next_offset } };
}

interface Page {
  readonly cut: CutBody;
  readonly pagination: Pagination;
  readonly question: Args;
  readonly offset: number;
}

function checkOwnCounts(endpoint: Endpoint, { cut, pagination, question, offset }: Page): void {
  const { raw } = pagination;
  const rows = cut.rows.length;
  if (raw.total_count !== undefined && raw.total_count !== null && pagination.total_count === undefined)
    throw protocolViolation(endpoint, 'total_count is no whole number');
  if (given(raw.offset) && raw.offset !== offset)
    throw protocolViolation(endpoint, `rows from ${offset} were asked for, rows from ${shown(raw.offset)} came`);
  if (given(raw.returned_count) && raw.returned_count !== rows)
    throw protocolViolation(endpoint, `a page says that it has ${shown(raw.returned_count)} rows and has ${rows}`);
  if (typeof question.limit === 'number' && rows > question.limit)
    throw protocolViolation(endpoint, `at most ${question.limit} rows were asked for, ${rows} came`);
  if (pagination.has_more && rows === 0)
    throw protocolViolation(endpoint, 'an empty page says that there are more rows');
}

function checkEnd(endpoint: Endpoint, { cut, pagination, offset }: Page): void {
  const { has_more, next_offset, total_count } = pagination;
  const end = offset + cut.rows.length;
  if (has_more && next_offset !== end)
    throw protocolViolation(
      endpoint,
      `the next page should begin at ${end}, not at ${next_offset ?? 'an unknown place'}`,
    );
  if (total_count === undefined) return;
  if (has_more && end >= total_count)
    throw protocolViolation(endpoint, `all ${total_count} rows have come, yet there should be more`);
  // An offset beyond the end is a legal question with an empty answer.
  const beyond = cut.rows.length === 0 && offset >= total_count;
  if (!has_more && end !== total_count && !beyond)
    throw protocolViolation(endpoint, `the last page ends at row ${end} of ${total_count}`);
}

function given(value: unknown): value is string | number | boolean | object {
  return value !== undefined && value !== null;
}

/** Only numbers of a service are repeated in a message. */
function shown(value: unknown): string {
  return typeof value === 'number' ? String(value) : 'an unreadable number';
}

/**
 * Judges pages by opaque positions, which must make progress; a checkpoint must stay.
 * @throws MacroError of kind `protocol`.
 */
export function judgePositions(endpoint: Endpoint, kind: keyof typeof HANDLES): Judge {
  const { given, taken } = HANDLES[kind];
  const visited = new Set<string>();
  let seen = 0;
  let checkpoint: string | undefined;
  return (cut, question) => {
    const offset = seen;
    seen += cut.rows.length;
    checkCounts(endpoint, cut.envelope, { rows: cut.rows.length, limit: question.limit });
    if (kind === 'checkpoint') checkpoint = checkCheckpoint(endpoint, cut.envelope, checkpoint ?? question.checkpoint);
    const pagination = paginationIn(cut.envelope);
    const place = { pagination, offset, total: undefined };
    if (member(cut.envelope, 'has_more') !== true) return { ...place, next: undefined };
    if (cut.rows.length === 0) throw protocolViolation(endpoint, 'an empty page says that there are more rows');
    const position = positionOf(kind, member(cut.envelope, given));
    if (position === undefined) throw protocolViolation(endpoint, `there should be more rows, but ${given} is missing`);
    visited.add(String(question[taken] ?? ''));
    if (visited.has(String(position)))
      throw protocolViolation(endpoint, `${given} leads back to a page that was read already`);
    if (kind === 'sequence' && Number(position) < Number(question[taken] ?? 0))
      throw protocolViolation(endpoint, `${given} runs backwards`);
    const args = { [taken]: position, ...(checkpoint !== undefined && { checkpoint }) };
    return { ...place, next: { text: String(position), args } };
  };
}

/** These kinds carry their members at the top or in `pagination`; both are read. */
function member(envelope: JsonObject, name: string) {
  const { pagination } = envelope;
  return envelope[name] ?? (isJsonObject(pagination) ? pagination[name] : undefined);
}

function positionOf(kind: keyof typeof HANDLES, value: unknown): string | number | undefined {
  if (kind === 'sequence') return typeof value === 'number' ? count(value) : undefined;
  if (typeof value === 'number') return String(value);
  return typeof value === 'string' && value !== '' ? value : undefined;
}

function checkCounts(endpoint: Endpoint, envelope: JsonObject, page: { rows: number; limit: unknown }): void {
  for (const name of ['count', 'returned_count']) {
    const value = member(envelope, name);
    if (typeof value === 'number' && value !== page.rows)
      throw protocolViolation(endpoint, `a page says that it has ${value} rows and has ${page.rows}`);
  }
  if (typeof page.limit === 'number' && page.rows > page.limit)
    throw protocolViolation(endpoint, `at most ${page.limit} rows were asked for, ${page.rows} came`);
}

function checkCheckpoint(endpoint: Endpoint, envelope: JsonObject, before: unknown): string | undefined {
  const now = member(envelope, 'checkpoint');
  if (typeof before === 'string' && typeof now === 'string' && before !== now)
    throw snapshotChanged(endpoint, 'the pages belong to two different checkpoints');
  const kept = now ?? before;
  if (typeof kept === 'string') return kept;
  if (member(envelope, 'has_more') === true)
    throw protocolViolation(endpoint, 'there should be more rows, but no checkpoint came');
  return undefined;
}

/**
 * Refuses a repeated page or row: the list has shifted under the walk. Keeps keys, not pages, since thousands of walks
 * are open.
 * @throws MacroError of kind `incomplete` or `protocol`.
 */
export function createRepeatGuard(endpoint: Endpoint): (cut: CutBody) => void {
  const pages = new Set<string>();
  let before: Names = { all: [] };
  return ({ rows }) => {
    if (rows.length === 0) return;
    const names = rows.map((row) => nameOf(endpoint, row));
    const page = `${names[0]}\n${names.at(-1)}\n${names.length}`;
    if (pages.has(page)) throw protocolViolation(endpoint, 'a page came twice');
    pages.add(page);
    const these: Names = { all: names, range: rangeOf(names) };
    if (haveOneOf(these, before)) throw snapshotChanged(endpoint, 'a row of one page came again on the next');
    before = these;
  };
}

/** Names of the rows of a page and, where they come in order, the first and the last in the order of texts. */
interface Names {
  readonly all: readonly string[];
  readonly range?: readonly [first: string, last: string] | undefined;
}

/** Pages of a history lie one behind the other, so that their ends tell. */
function haveOneOf(some: Names, others: Names): boolean {
  if (some.range && others.range && (some.range[1] < others.range[0] || others.range[1] < some.range[0])) return false;
  const names = new Set(others.all);
  return some.all.some((name) => names.has(name));
}

function rangeOf(names: readonly string[]): Names['range'] {
  const [first = '', last = ''] = [names[0], names.at(-1)];
  const isUp = first < last;
  for (let i = 1; i < names.length; i += 1) {
    const [a = '', b = ''] = [names[i - 1], names[i]];
    if (isUp ? a > b : a < b) return undefined;
  }
  return isUp ? [first, last] : [last, first];
}

/** The key of a row; where nothing is known to be one, the digest of its text. */
function nameOf({ mirror }: Endpoint, { name, text, value }: BodyRow): string {
  if (!mirror) return hash('sha256', text, 'base64');
  const [column, ...further] = mirror.key;
  const only = column && further.length === 0 && name === '' ? memberFor(value, column) : undefined;
  // Most keys are one text, a date, and this is asked of every row.
  if (typeof only === 'string') return only;
  return JSON.stringify([name, ...mirror.key.map((column) => memberFor(value, column))]);
}

/** A page that contradicts itself or the walk that it belongs to. */
function protocolViolation(endpoint: Endpoint, what: string): MacroError {
  return new MacroError('protocol', `The pages of ${endpoint.id} do not fit together: ${what}.`, {
    code: 'paging_breach',
    hint: 'The result may be incomplete, so it is not shown. Try again later or with another --limit.',
  });
}

/** The result moved while it was read: nobody is wrong, but the pages are not one answer. */
function snapshotChanged(endpoint: Endpoint, what: string): MacroError {
  return new MacroError('incomplete', `The data of ${endpoint.id} changed while they were read: ${what}.`, {
    code: 'result_moved',
    hint: 'Run it again; a closed window (--end) moves less often.',
  });
}
