import type { CommitClock } from '../../core/as-of/commit-clock.ts';
import { remember, type Shared } from '../../core/shared.ts';
import { anyOf, type ServerConnection } from '../connection.ts';

const KEPT_TIMES = 100_000;

/** When commits were, as far as they were asked for: commits never change, so all reads share what they learnt. */
export interface ServerTimes extends CommitClock {
  /** Reads the times of some commits. */
  learn(commits: Iterable<number | null>): Promise<void>;
  /** Finds the last commit at or before a moment, which `lastBy` then knows. */
  learnMoment(at: number): Promise<void>;
}

/** The times that one read needs. */
export function createTimes({ ledger }: ServerConnection, { commitTimes }: Pick<Shared, 'commitTimes'>): ServerTimes {
  const known = new Map<number, number>();
  const moments = new Map<number, number>();
  return {
    at: (commit) => known.get(commit) ?? 0,
    lastBy: (at) => moments.get(at) ?? 0,
    async learn(commits) {
      const unknown: number[] = [];
      for (const commit of new Set(commits)) {
        if (commit === null || known.has(commit)) continue;
        const at = commitTimes.get(commit);
        if (at === undefined) unknown.push(commit);
        else known.set(commit, at);
      }
      if (unknown.length === 0) return;
      const rows = await ledger
        .selectFrom('commits')
        .select(['number', 'at'])
        .where('number', '=', anyOf(unknown))
        .execute();
      for (const { number, at } of rows) {
        known.set(number, at);
        remember(commitTimes, number, at, KEPT_TIMES);
      }
    },
    async learnMoment(at) {
      if (moments.has(at)) return;
      const row = await ledger
        .selectFrom('commits')
        .select('number')
        .where('at', '<=', at)
        .orderBy('at', 'desc')
        .orderBy('number', 'desc')
        .limit(1)
        .executeTakeFirst();
      moments.set(at, row?.number ?? 0);
    },
  };
}
