import { cutBody, patchRow } from '../../contract/body.ts';
import type { Endpoint } from '../../contract/endpoint.ts';
import { asJsonText } from '../../contract/json.ts';
import type { Reply } from '../../source/source.ts';
import type { Wanted } from '../question.ts';
import { spliceMap } from './splice.ts';

/** The rows that were wanted, out of an answer whose route knows no paging. Any other answer stays as it is. */
export function cutReply(endpoint: Endpoint, reply: Reply, rows: Wanted): Reply {
  if (rows.kind !== 'some' || endpoint.paging.kind !== 'none' || endpoint.body.kind === 'document') return reply;
  const cut = cutBody(endpoint.body, reply.body);
  const end = rows.limit === undefined ? undefined : rows.offset + rows.limit;
  const kept = cut.rows.slice(rows.offset, end);
  if (kept.length === cut.rows.length) return reply;
  const texts = kept.map((row) => row.text);
  if (endpoint.body.kind === 'list')
    return { ...reply, body: patchRow(reply.body, { [endpoint.body.member]: asJsonText(`[${texts.join(',')}]`) }) };
  return {
    ...reply,
    body: spliceMap(
      endpoint.body,
      reply.body,
      kept.map((row) => [row.name, row.text]),
    ),
  };
}
