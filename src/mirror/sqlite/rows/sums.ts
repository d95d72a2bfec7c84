import type { Digest } from '../../core/digest.ts';
import {
  type ChecksumChange,
  type ChecksumPart,
  isNothing,
  type Sum,
  sumOf,
  sumText,
  WHOLE_FILE,
} from '../../core/sums.ts';
import { checksumChangeOf, coverageFact, seriesFact, stampFact } from '../../ledger/facts.ts';
import type { LedgerSchema } from '../../ledger/ledger.ts';
import type { SqliteConnection } from '../database-file.ts';

/** Keeps the sums. Everything here runs inside the transaction that changes what is summed. */
export function sumStatements(db: SqliteConnection) {
  const select = db.prepare<unknown[], LedgerSchema['sums']>('select * from sums where series = ? and part = ?');
  const put = db.prepare('insert or replace into sums (series, part, rows, sum) values (?, ?, ?, ?)');
  const series = db.prepare<[number], LedgerSchema['series']>('select * from series where id = ?');
  const proofs = db.prepare<[number], LedgerSchema['proofs']>('select * from proofs where series = ?');
  const stamp = db.prepare<[], LedgerSchema['mirror']>('select * from mirror');

  const set = (id: number, part: ChecksumPart, { rows, words }: Sum) =>
    put.run(id, part, rows, sumText({ rows, words }));
  const setAll = (id: number, part: ChecksumPart, digests: readonly Digest[]) => set(id, part, sumOf(digests));
  const move = (id: number, part: ChecksumPart, by: Sum) => {
    if (!isNothing(by)) set(id, part, checksumChangeOf(select.get(id, part), by));
  };
  return {
    set,
    move(id: number, { current, superseded, vintages, commits }: ChecksumChange) {
      move(id, 'current', current);
      move(id, 'superseded', superseded);
      move(id, 'vintages', vintages);
      move(id, 'commits', commits);
    },
    sealSeries: (id: number) => setAll(id, 'series', series.all(id).map(seriesFact)),
    sealProofs: (id: number) => setAll(id, 'proofs', proofs.all(id).map(coverageFact)),
    sealStamp: () => setAll(WHOLE_FILE, 'stamp', stamp.all().map(stampFact)),
  };
}
