import type { PageCommit, Stamp } from '../../api/mirror.ts';
import type { LedgerSchema } from '../../ledger/ledger.ts';
import { decideStamp, stampFrom } from '../../ledger/stamp.ts';
import type { SqliteConnection } from '../database-file.ts';

type Row = LedgerSchema['mirror'];

/** Reads and sets whose answers the file holds. */
export function stampStatements(db: SqliteConnection, path: string) {
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
