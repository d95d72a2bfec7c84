import type { Endpoint } from '../../contract/endpoint.ts';
import { isJsonObject, type JsonObject } from '../../contract/json/json.ts';
import { protocolViolation, snapshotChanged } from './protocol-violation.ts';
import { count, type Judge, paginationIn } from './step.ts';

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
 * Paging by a position that the service hands out. Positions are opaque, so the proof is progress: a page that has more
 * after it has rows and a position that the walk has not been at before. A checkpoint must stay what the first page said.
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
