import { once } from '../../core/once.ts';
import type { SqliteConnection } from '../database-file.ts';
import { sumStatements } from '../rows/sums.ts';
import { arrivalWriter } from './arrivals.ts';
import { followStatements } from './follows.ts';
import { paginationRunStatements } from './pagination-runs.ts';
import { seriesStatements } from './series.ts';
import { stampStatements } from './stamp.ts';
import { validatorStatements } from './validators.ts';

/** The statements of the ledger, for a connection, each group made when it is first used: most programs read a few rows. */
export function ledgerOf(db: SqliteConnection, path: string) {
  const stamp = once(() => stampStatements(db, path));
  const series = once(() => seriesStatements(db));
  const walks = once(() => paginationRunStatements(db));
  const validators = once(() => validatorStatements(db));
  const sums = once(() => sumStatements(db));
  const follows = once(() => followStatements(db));
  const arrive = once(() => arrivalWriter(db));
  return {
    get stamp() {
      return stamp();
    },
    get series() {
      return series();
    },
    get walks() {
      return walks();
    },
    get validators() {
      return validators();
    },
    get sums() {
      return sums();
    },
    get follows() {
      return follows();
    },
    get arrive() {
      return arrive();
    },
  };
}

export type SeriesLedger = ReturnType<typeof ledgerOf>;
