import { dateOf } from '../../../contract/time/time.ts';
import type { AccessTag, CoverageInterval } from '../../api/mirror.ts';
import { coveredSelection, whereOf } from '../../core/select.ts';
import type { Shared } from '../../core/shared.ts';
import { lateDaysOf } from '../../ledger/certain.ts';
import { newestCertain } from '../../ledger/coverage.ts';
import type { SqliteConnection } from '../database-file.ts';
import { writeTransaction } from '../own-version.ts';
import { pageReader } from '../rows/page.ts';
import { statementsOf } from '../statements.ts';
import { coverageWriter, lookReader } from './coverage.ts';
import type { SeriesLedger } from './series-ledger.ts';

/**
 * Renews the newest proof of every followed series that its feed has not named. Walk: the certain one that reaches furthest is as
 * of now and reaches today, since the feed would have named the series if anything had come or changed; the rows that are
 * stored behind its old end are counted in. Thousands of series are one transaction.
 */
export function confirmer(db: SqliteConnection, shared: Shared, { follows, series, sums }: SeriesLedger) {
  const looksAt = lookReader(db);
  const addProof = coverageWriter(db);
  const statements = statementsOf(db);
  const renew = db.prepare(
    'update proofs set proven_at = ? where series = ? and access = ? and starts = ? and ends = ?',
  );
  const lastCommit = db.prepare<[], number>('select coalesce(max(number), 0) from commits').pluck();
  return writeTransaction(db, shared.path, (endpoint: string, access: AccessTag, at: number): number => {
    const table = shared.table(endpoint);
    if (!table) return 0;
    const page = pageReader(statements, table, () => 0);
    const commit = lastCommit.get() ?? 0;
    const unnamed = follows.list(endpoint, access).filter(({ due }) => due === undefined);
    for (const { series: id } of unnamed) {
      const newest = newestCertain(looksAt(table, id, access), lateDaysOf(table));
      if (!newest || newest.provenAt >= at) continue;
      const today = dateOf(at);
      const to = newest.to > today ? newest.to : today;
      const countRows = (from: CoverageInterval['from'], end: CoverageInterval['to']) =>
        page.count(whereOf(table, id, coveredSelection(table, { from, to: end })));
      // On the same day the window is the same, and so is what was counted in it.
      if (to === newest.to) renew.run(at, id, access, newest.from, newest.to);
      else
        addProof(
          { table, series: id, access },
          {
            proof: { from: newest.from, to, rows: countRows(newest.from, to), provenAt: at },
            commit,
            countRows,
          },
        );
      sums.sealProofs(id);
      series.check(id, at);
      sums.sealSeries(id);
    }
    return unnamed.length;
  });
}
