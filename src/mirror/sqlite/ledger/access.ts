import type { Statement } from 'better-sqlite3';
import { executeSync, type LedgerAccess } from '../../ledger/statements/execute.ts';
import {
  boundValues,
  type LedgerDialect,
  type LedgerStep,
  type LedgerWork,
} from '../../ledger/statements/statement.ts';
import type { SqliteConnection } from '../database-file.ts';
import type { OpenFile } from '../open-file.ts';

/** Operations on the ledger of an open file. Kysely is loaded with the first one: most programs never ask for any. */
export function sqliteLedger(db: SqliteConnection, file: OpenFile): LedgerAccess {
  let loaded: Runners | undefined;
  const load = async () => {
    const { SQLITE } = await import('../../ledger/statements/dialects.ts');
    loaded ??= runnersOf(db, SQLITE);
    return loaded;
  };
  const read: LedgerAccess['read'] = async (work) => {
    const runners = loaded ?? (await load());
    return file.run(() => runners.read(work));
  };
  return {
    read,
    changeOnce: read,
    changeOwn: read,
    async change(work) {
      const { change } = loaded ?? (await load());
      return file.run(() => change(work));
    },
  };
}

interface Runners {
  read<T>(work: () => LedgerWork<T>): T;
  change<T>(work: () => LedgerWork<T>): T;
}

function runnersOf(db: SqliteConnection, dialect: LedgerDialect): Runners {
  const prepared = new Map<object, Statement<unknown[], unknown>>();
  const execute = (step: LedgerStep): readonly unknown[] => {
    const compiled = step.compiledFor(dialect);
    let statement = prepared.get(compiled);
    if (!statement) {
      statement = db.prepare(compiled.sql);
      prepared.set(compiled, statement);
    }
    const parameters = boundValues(step, compiled, dialect);
    if (statement.reader) return statement.all(parameters);
    statement.run(parameters);
    return [];
  };
  const read = <T>(work: () => LedgerWork<T>): T => executeSync(work(), execute);
  const transaction = db.transaction((work: () => unknown) => work());
  // The driver's types do not carry the result of the work through.
  return { read, change: <T>(work: () => LedgerWork<T>) => transaction.immediate(() => read(work)) as T };
}
