// The members beside rows that say how far the whole series reaches. A window that is held whole need not tell them.
import { objectIn } from '../../contract/json/json.ts';
import { type Question, type Reply, resolveAlias } from '../source.ts';

const LATEST = ['latest_available_date', 'page_includes_latest_available'] as const;

/** True where answers say when the whole series begins. */
export function tellsBeginning(question: Question): boolean {
  return objectIn(resolveAlias(question).endpoint.envelope?.properties).earliest_available_date !== undefined;
}

/** True where a mirror left out how far the series reaches, because it cannot know it, and the service would say it. */
export function lacksEdges(question: Question, { status, body }: Pick<Reply, 'status' | 'body'>): boolean {
  const { paging } = resolveAlias(question).endpoint;
  if (status === 304 || paging.kind !== 'offset') return false;
  const lacks = (member: string) => !body.includes(`"${member}":`);
  return (tellsBeginning(question) && lacks('earliest_available_date')) || (paging.marksLatest && LATEST.some(lacks));
}
