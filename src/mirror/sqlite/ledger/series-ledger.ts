import { readJson } from '../../../contract/json/json.ts';
import type { PageCommit } from '../../api/page-commit.ts';
import type { PaginationRun } from '../../api/pagination-run.ts';
import type { AccessTag, Stamp } from '../../api/series.ts';
import { once } from '../../core/once.ts';
import type { LedgerSchema } from '../../ledger/ledger.ts';
import { type PaginationRunRow, paginationRunOf } from '../../ledger/pagination-runs.ts';
import { decideStamp, stampFrom } from '../../ledger/stamp.ts';
import { KEPT_VALIDATORS } from '../../ledger/validators.ts';
import type { SqliteConnection } from '../database-file.ts';
import { sumStatements } from '../rows/sums.ts';
import { arrivalWriter } from './arrivals.ts';
import { followStatements } from './follows.ts';
import { seriesStatements } from './series.ts';

type Row = LedgerSchema['mirror'];

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

/** The unfinished walks, one a series and access. */
function paginationRunStatements(db: SqliteConnection) {
  const select = db.prepare<unknown[], string>('select walk from walks where series = ? and access = ?').pluck();
  const put = db.prepare('insert or replace into walks (series, access, walk) values (?, ?, ?)');
  const remove = db.prepare('delete from walks where series = ? and access = ?');
  const read = (series: number, access: AccessTag): PaginationRunRow | undefined => {
    const text = select.get(series, access);
    return text === undefined ? undefined : readJson(text);
  };
  return {
    get(series: number, access: AccessTag): PaginationRun | undefined {
      const kept = read(series, access);
      return kept && paginationRunOf(kept);
    },
    read,
    put: (series: number, access: AccessTag, walk: PaginationRunRow) => put.run(series, access, JSON.stringify(walk)),
    drop: (series: number, access: AccessTag) => remove.run(series, access),
  };
}

/** ETags of earlier answers, one a question and access. */
function validatorStatements(db: SqliteConnection) {
  const select = db.prepare<unknown[], string>('select etag from validators where access = ? and question = ?').pluck();
  const put = db.prepare(
    `insert or replace into validators (access, question, etag, series, commit_number, checked_at)
     values (?, ?, ?, ?, ?, ?)`,
  );
  const forget = db.prepare('delete from validators where access = ? and question = ?');
  const prune = db.prepare(
    `delete from validators where (access, question) in (
       select access, question from validators where series = ? and access = ?
       order by checked_at desc limit -1 offset ${KEPT_VALIDATORS})`,
  );
  return {
    get: (access: AccessTag, question: string) => select.get(access, question),
    put(access: AccessTag, question: string, validator: { etag: string; series: number; commit: number; at: number }) {
      put.run(access, question, validator.etag, validator.series, validator.commit, validator.at);
      prune.run(validator.series, access);
    },
    forget: (access: AccessTag, question: string) => forget.run(access, question),
  };
}

/** Reads and sets whose answers the file holds. */
function stampStatements(db: SqliteConnection, path: string) {
  const select = db.prepare<[], Row>('select id, created, service, nature from mirror');
  const update = db.prepare('update mirror set service = ?, nature = ?');

  function read(): Stamp {
    return stampFrom(select.get(), path);
  }

  /**
   * The first answer decides; a later one that does not fit is refused. True when this one decided something. Runs inside
   * the transaction of the commit.
   */
  function check({ series, nature }: PageCommit): boolean {
    const decided = decideStamp(read(), { series, nature }, path);
    if (decided) update.run(decided.service, decided.nature);
    return decided !== undefined;
  }

  return { read, check };
}
