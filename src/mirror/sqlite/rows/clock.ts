import type { CommitClock } from '../../core/as-of/commit-clock.ts';
import type { SqliteConnection } from '../database-file.ts';

const KEPT_TIMES = 10_000;

/** Commits never change, so their times are kept in `times`; they never go back, so a moment is found by halving. */
export function commitClock(db: SqliteConnection, times: Map<number, number>): CommitClock {
  const select = db.prepare<[number], number>('select at from commits where number = ?').pluck();
  const newest = db.prepare<[], number>('select coalesce(max(number), 0) from commits').pluck();
  const atOrBefore = db.prepare<[number], { number: number; at: number }>(
    'select number, at from commits where number <= ? order by number desc limit 1',
  );
  return {
    at(commit) {
      const known = times.get(commit);
      if (known !== undefined) return known;
      const at = select.get(commit) ?? 0;
      if (times.size >= KEPT_TIMES) times.clear();
      times.set(commit, at);
      return at;
    },
    lastBy(at) {
      let [low, high] = [0, newest.get() ?? 0];
      while (low < high) {
        const middle = Math.ceil((low + high) / 2);
        const commit = atOrBefore.get(middle);
        if (!commit) low = middle;
        else if (commit.at <= at) low = middle;
        else high = commit.number - 1;
      }
      return atOrBefore.get(low)?.number ?? 0;
    },
  };
}
