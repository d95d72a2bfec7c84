import type { Endpoint } from '../../contract/endpoint.ts';
import type { CutBody } from '../../contract/json/body.ts';
import type { Args } from '../../contract/params/params.ts';
import type { Pagination } from '../client.ts';
import { protocolViolation, snapshotChanged } from './protocol-violation.ts';
import { count, type Judge, paginationIn } from './step.ts';

/**
 * Paging by `limit` and `offset`. Each page must echo its offset, count its own rows, agree with itself about whether
 * there are more and name the offset that follows; all pages must agree about the total. See docs/interface.md#pages.
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
    // Rows that a mirror does not hold have a place in its pages all the same.
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
