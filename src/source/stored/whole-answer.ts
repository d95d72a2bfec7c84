import { patchRow } from '../../contract/json/body.ts';
import { type JsonText, objectIn, parseObject, toJsonText } from '../../contract/json/json.ts';
import { withParts } from '../answer/envelope.ts';
import type { AskContext, Question, Reply, Source } from '../source.ts';
import { collect, sourcePages, walkMembers } from './collect-pages.ts';

/** All rows of a question, or so many, as one answer. @throws MacroError of kind `protocol`. */
export async function askWhole(
  source: Source,
  question: Question,
  context: AskContext,
  limit: number | 'all',
): Promise<Reply> {
  const whole = { ...question, args: { ...question.args, limit: limit === 'all' ? MAX_LIMIT : limit } };
  const { paging, body } = question.endpoint;
  if (paging.kind === 'offset' && body.kind === 'list') {
    const reply = await source.ask(whole, { ...context, inParts: true, once: true });
    const walked = reply.parts && walkedReply(reply, reply.parts, { question: whole, limit });
    if (walked) return walked;
  }
  return collect(sourcePages(source, whole, context), whole, limit);
}

const MAX_LIMIT = 1_000_000_000;

/** The reply as the only page of a walk; undefined where more pages would follow. */
function walkedReply(
  reply: Reply,
  parts: NonNullable<Reply['parts']>,
  { question, limit }: { readonly question: Question; readonly limit: number | 'all' },
): Reply | undefined {
  const { endpoint } = question;
  const rows = parts.rows.length;
  const envelope = parseObject(parts.envelope);
  const more = objectIn(envelope.pagination).has_more === true;
  if (more && (limit === 'all' || rows < limit)) return undefined;
  const members = walkMembers(envelope, { envelope, more }, { question, limit, kept: rows, read: rows });
  const changed = Object.fromEntries(
    Object.entries(members).map(([name, value]): [string, JsonText] => [name, toJsonText(value)]),
  );
  const { status, from, asOf, synthetic, notes, past, partial, sources } = reply;
  const facts = {
    ...{ status, from, asOf, synthetic, notes },
    ...(past && { past }),
    ...(partial && { partial }),
    ...(sources && { sources }),
  };
  return withParts(facts, endpoint.body, { ...parts, envelope: patchRow(parts.envelope, changed) });
}
