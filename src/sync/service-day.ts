import { dateOf } from '../contract/time/time.ts';
import type { Mirror } from '../mirror/api/mirror.ts';

/** Events that are looked at: they come nearly in the order of their time. */
const NEWEST = 100;

/**
 * The day of the newest release event that is known; undefined when none is. Where the clock of this machine is behind the
 * service's, windows reach to this day: else a run would end before what the feed named, and call itself complete.
 */
export async function newestServiceDay({ journal }: Pick<Mirror, 'journal'>): Promise<string | undefined> {
  const after = Math.max(0, (await journal.newest()) - NEWEST);
  const times = (await journal.events({ after, limit: NEWEST })).map(({ timestamp }) => timestamp);
  return times.length === 0 ? undefined : dateOf(Math.max(...times) * 1000);
}
