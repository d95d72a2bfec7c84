import type { AccessTag } from '../../api/mirror.ts';
import { KEPT_VALIDATORS } from '../../ledger/validators.ts';
import type { SqliteConnection } from '../database-file.ts';

/** ETags of earlier answers, one a question and access. */
export function validatorStatements(db: SqliteConnection) {
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
