import type { Client } from '../../client/client.ts';
import type { PartialMark } from '../../contract/answer-members.ts';
import type { Endpoint } from '../../contract/endpoint.ts';
import { cutBody, MARK_MEMBER, patchRow, spliceBody } from '../../contract/json/body.ts';
import {
  asJsonText,
  isJsonObject,
  type JsonObject,
  type JsonText,
  objectIn,
  toJsonText,
} from '../../contract/json/json.ts';
import { spelledLike } from '../../contract/json/scan.ts';
import type { Args } from '../../contract/params/param.ts';
import { joinPartials, type PartialAnswer, servicePartial } from '../../coverage/partial-answer.ts';
import { markedBody } from '../../coverage/partial-mark.ts';
import { beginIn, beginningOf } from '../../coverage/watched-span.ts';
import { MacroError } from '../../errors.ts';
import type { Mirror } from '../../mirror/api/mirror.ts';
import type { AnswerCommit, NewRow } from '../../mirror/api/page-commit.ts';
import { type OpenMirror, openedMirror } from '../live.ts';
import { type AskContext, type Question, type Reply, resolveAlias, type Source } from '../source.ts';
import { commitOfAnswer, type ReceivedAnswer, rangeCoverage } from './answer-commit.ts';
import { createPageOrder, keyValues } from './page-order.ts';
import { raiseDoubts } from './raise-doubts.ts';
import { isAnswerStored, notStoredNotes } from './stored-part.ts';

/** A result that moves under a walk, or a checkpoint that is too old, is read again, so often. */
export const RESTARTS = 3;

interface CollectedPage {
  readonly body: JsonText;
  readonly envelope: JsonObject;
  readonly rows: readonly JsonText[];
  readonly total: number | undefined;
  readonly more: boolean;
  readonly reply: Omit<Reply, 'body' | 'status'>;
}

/** So many rows, or all of them, as one answer. @throws MacroError of kind `protocol`. */
export async function collect(
  pages: AsyncIterable<CollectedPage>,
  question: Question,
  limit: number | 'all',
): Promise<Reply> {
  const rows: JsonText[] = [];
  let first: CollectedPage | undefined;
  let last: CollectedPage | undefined;
  const partials: PartialAnswer[] = [];
  for await (const page of pages) {
    first ??= page;
    last = page;
    rows.push(...page.rows);
    if (page.reply.partial) partials.push(page.reply.partial);
    if (limit !== 'all' && rows.length >= limit) break;
  }
  if (!first || !last) throw new MacroError('protocol', 'The walk gave no page.');
  const kept = limit === 'all' ? rows : rows.slice(0, limit);
  const changed = walkMembers(first.envelope, last, { question, limit, kept: kept.length, read: rows.length });
  const partial = joinPartials(partials);
  const body = joined(question, first, { changed, rows: kept, mark: partial?.mark });
  return { ...first.reply, status: 200, body, ...(partial && { partial }) };
}

interface Walk {
  readonly question: Question;
  readonly limit: number | 'all';
  /** Rows of the answer, and those of the pages that were read for it. */
  readonly kept: number;
  readonly read: number;
}

/** The members that tell of the rows of a walk, in place of those of its first page. */
export function walkMembers(
  first: JsonObject,
  last: Pick<CollectedPage, 'envelope' | 'more'>,
  { question, limit, kept, read }: Walk,
): JsonObject {
  const { pagination, count, has_more, next_cursor } = first;
  const offset = limit === 'all' ? 0 : Number(question.args.offset ?? 0);
  const more = limit !== 'all' && (last.more || kept < read);
  return {
    ...(isJsonObject(pagination) && {
      pagination: isByPosition(pagination)
        ? mergedPositions(pagination, last, { kept, limit, more, cut: kept < read })
        : merged(pagination, { kept, limit, offset, more }),
    }),
    ...(typeof count === 'number' && { count: kept }),
    ...(typeof has_more === 'boolean' && { has_more: more }),
    ...(next_cursor !== undefined && { next_cursor: last.envelope.next_cursor ?? null }),
  };
}

/** The first page with all rows: what the walk does not change keeps its spelling. */
function joined(
  { endpoint }: Question,
  first: CollectedPage,
  walk: { changed: JsonObject; rows: readonly JsonText[]; mark: PartialMark | undefined },
): JsonText {
  const { changed, rows, mark } = walk;
  if (endpoint.body.kind !== 'list') {
    const body = spliceBody(endpoint.body, spelledLike({ ...first.envelope, ...changed }, [first.body]), rows);
    return mark ? markedBody(body, mark) : body;
  }
  const members = Object.entries(changed).map(([name, value]) => [name, toJsonText(value)] as const);
  return patchRow(first.body, {
    ...Object.fromEntries(members),
    [endpoint.body.member]: asJsonText(`[${rows.join(',')}]`),
    // The later pages may miss what the first one has.
    ...(mark && { [MARK_MEMBER]: toJsonText(mark) }),
  });
}

function merged(
  pagination: JsonObject,
  walk: Pick<Walk, 'kept' | 'limit'> & { offset: number; more: boolean },
): JsonObject {
  const { next_offset: _, ...rest } = pagination;
  return {
    ...rest,
    limit: walk.limit === 'all' ? walk.kept : walk.limit,
    offset: walk.offset,
    returned_count: walk.kept,
    ...(walk.limit === 'all' && { total_count: walk.kept }),
    has_more: walk.more,
    ...(walk.more && { next_offset: walk.offset + walk.kept }),
  };
}

const POSITIONS = ['next_cursor', 'next_after_sequence'] as const;

/** True where pages are led to by a position: the last page of such a walk may name none, but no page has an offset. */
function isByPosition(pagination: JsonObject): boolean {
  return (
    pagination.offset === undefined && pagination.total_count === undefined && pagination.next_offset === undefined
  );
}

/** The position behind the last page; of a walk that was cut inside of a page nobody knows it. */
function mergedPositions(
  first: JsonObject,
  last: Pick<CollectedPage, 'envelope'>,
  walk: Pick<Walk, 'kept' | 'limit'> & { more: boolean; cut: boolean },
): JsonObject {
  const reached = objectIn(last.envelope.pagination);
  const rest = Object.entries(first).filter(([name]) => !POSITIONS.some((position) => position === name));
  const positions = POSITIONS.filter((name) => !walk.cut && reached[name] !== undefined);
  return {
    ...Object.fromEntries(rest),
    limit: walk.limit === 'all' ? walk.kept : walk.limit,
    returned_count: walk.kept,
    has_more: walk.more,
    ...Object.fromEntries(positions.map((name) => [name, reached[name] ?? null])),
  };
}

/** Pages of the service, each checked against the previous one and written to the mirror. */
export async function* livePages(
  parts: { client: Client; mirror?: Mirror | OpenMirror | undefined },
  question: Question,
  context: AskContext,
): AsyncIterable<CollectedPage> {
  const { client, mirror } = parts;
  const { endpoint, args, extra } = question;
  const { now, signal } = context;
  const request = { endpoint, args, ...(extra && { extra }), ...(signal && { signal }) };
  const kept = resolveAlias(question);
  const untold = mirror ? notStoredNotes(kept, context.caller) : [];
  const walked: NewRow[] = [];
  const inOrder = createPageOrder(kept.endpoint, undefined);
  let isPartial = false;
  let position: Args = {};
  let watched: ReceivedAnswer['watched'];
  let compare: (() => Promise<void>) | undefined;
  try {
    for await (const page of client.pages(request)) {
      const into = isAnswerStored(kept) ? await openedMirror(mirror) : undefined;
      if (into) {
        const pageArgs: Args = { ...kept.args, ...position, offset: page.offset };
        const reply = { reply: page, service: client.service, access: client.access, at: now };
        const received = { endpoint: kept.endpoint, args: pageArgs, ...reply, ...(watched && { watched }) };
        const commit = inOrder(commitOfAnswer(received, page.cut), page.offset === 0 && page.next === undefined);
        const seams =
          commit.extent === 'listed' ? seamBetween(kept.endpoint, walked.at(-1), commit.rows[0]) : undefined;
        walked.push(...commit.rows);
        isPartial ||= commit.doubtful === true;
        // Pages that follow each other cover what lies between two of them, which none of them covers alone.
        const start = { ...received, args: { ...pageArgs, offset: args.offset } };
        const covered = isPartial ? undefined : rangeCoverage(start, { rows: walked, isLast: page.next === undefined });
        await into.commitPage({ ...commit, ...(seams && { seams }), ...(covered && { covered }) });
        compare = () => raiseDoubts(into, received, { commit, envelope: page.cut.envelope });
        if (kept.endpoint.mirror?.sync.kind === 'cursor') {
          // Events that the service lost before this page are missing from all later pages too.
          watched = { from: beginIn(page.cut, (watched ?? { from: beginningOf(pageArgs.since, now) }).from) };
          position = { since: page.next };
        }
      }
      yield {
        body: page.body,
        envelope: page.cut.envelope,
        rows: page.cut.rows.map((row) => row.text),
        total: page.total,
        more: page.next !== undefined,
        reply: {
          from: 'live',
          asOf: now,
          synthetic: page.synthetic,
          ...(page.partial && { partial: servicePartial(page.partial) }),
          notes: [...page.notes, ...untold],
        },
      };
    }
  } finally {
    // Later pages bring rows that the first one counts.
    await compare?.();
  }
}

/** The gap between two pages: a row stored there has vanished. */
function seamBetween({ mirror }: Endpoint, last: NewRow | undefined, first: NewRow | undefined): AnswerCommit['seams'] {
  const [before, behind] = [last, first].map((row) => keyValues(row, mirror?.key ?? []));
  return before && behind ? [[before, behind]] : undefined;
}

/** Pages of any source, asked one after the other by offset. */
export async function* sourcePages(
  source: Source,
  question: Question,
  context: AskContext,
): AsyncIterable<CollectedPage> {
  let { args } = question;
  for (;;) {
    const reply = await source.ask({ ...question, args }, context);
    const { envelope, rows } = cutBody(question.endpoint.body, reply.body);
    const pagination = objectIn(envelope.pagination);
    const more = pagination.has_more === true;
    const { status: _status, body, ...facts } = reply;
    const total = typeof pagination.total_count === 'number' ? pagination.total_count : undefined;
    yield { body, envelope, rows: rows.map((row) => row.text), total, more, reply: facts };
    if (!more) return;
    args = { ...args, offset: Number(pagination.next_offset) };
  }
}
