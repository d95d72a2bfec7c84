import type { Endpoint } from '../../contract/endpoint.ts';
import { cutBody, patchRow } from '../../contract/json/body.ts';
import { asJsonText } from '../../contract/json/json.ts';
import type { Reply } from '../../source/source.ts';
import type { QuestionOptions } from '../parse/question.ts';
import { spliceMap } from './splice.ts';

/** The rows that were wanted, out of an answer whose route knows no paging. Any other answer stays as it is. */
export function cutReply(endpoint: Endpoint, reply: Reply, rows: QuestionOptions): Reply {
  const shape = endpoint.body;
  if (rows.kind !== 'some' || endpoint.paging.kind !== 'none' || (shape.kind !== 'list' && shape.kind !== 'map'))
    return reply;
  const cut = cutBody(shape, reply.body);
  const end = rows.limit === undefined ? undefined : rows.offset + rows.limit;
  const kept = cut.rows.slice(rows.offset, end);
  if (kept.length === cut.rows.length) return reply;
  const texts = kept.map((row) => row.text);
  if (shape.kind === 'list')
    return { ...reply, body: patchRow(reply.body, { [shape.member]: asJsonText(`[${texts.join(',')}]`) }) };
  return {
    ...reply,
    body: spliceMap(
      shape,
      reply.body,
      kept.map((row) => [row.name, row.text]),
    ),
  };
}
