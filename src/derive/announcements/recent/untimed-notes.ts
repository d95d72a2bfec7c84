import type { PageArgs } from '../../../contract/endpoint.ts';
import type { ReleaseOrder } from './release-order.ts';

/** Says how many releases stand behind the page because their time is not known: the newest ones may be among them. */
export function untimedNotes({ total, timed }: ReleaseOrder, { offset, limit }: PageArgs): readonly string[] {
  const first = timed();
  if (first === total || offset + limit > first) return [];
  const count = total - first;
  const what =
    count === 1 ? '1 release has no time of release and stands' : `${count} releases have no time of release and stand`;
  return [`${what} behind all others: --offset ${first} shows ${count === 1 ? 'it' : 'them'}.`];
}
