import type { Statement } from 'better-sqlite3';
import {
  boundValues,
  executeSync,
  type LedgerAccess,
  type LedgerDialect,
  type LedgerStep,
  type LedgerWork,
} from '../statements/statement.ts';
import type { OpenFile, SqliteConnection } from './database-file.ts';
import { requireOwnVersion, writeTransaction } from './version.ts';

/** Operations on the ledger of an open file. Kysely is loaded with the first one: most programs never ask for any. */
export function sqliteLedger(db: SqliteConnection, file: OpenFile): LedgerAccess {
  let loaded: Runners | undefined;
  const load = async () => {
    const { SQLITE } = await import('../statements/dialects.ts');
    loaded ??= runnersOf(db, file.path, SQLITE);
    return loaded;
  };
  const requireVersion = () => requireOwnVersion(db, file.path);
  const changeOnce: LedgerAccess['changeOnce'] = async (work) => {
    const { execute } = loaded ?? (await load());
    return file.run(() => {
      requireVersion();
      return execute(work);
    });
  };
  return {
    async read(work) {
      const { execute } = loaded ?? (await load());
      return file.run(() => {
        try {
          return execute(work);
        } finally {
          requireVersion();
        }
      });
    },
    changeOnce,
    changeOwn: changeOnce,
    async change(work) {
      const { change } = loaded ?? (await load());
      return file.run(() => change(work));
    },
  };
}

interface Runners {
  execute<T>(work: () => LedgerWork<T>): T;
  change<T>(work: () => LedgerWork<T>): T;
}

function runnersOf(db: SqliteConnection, path: string, dialect: LedgerDialect): Runners {
  const prepared = new Map<object, Statement<unknown[], unknown>>();
  const executeStep = (step: LedgerStep): readonly unknown[] => {
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
  const execute = <T>(work: () => LedgerWork<T>): T => executeSync(work(), executeStep);
  const transaction = writeTransaction(db, path, (work: () => unknown) => work());
  // One transaction does all kinds of work, so its type does not carry the result of each through.
  return { execute, change: <T>(work: () => LedgerWork<T>) => transaction(() => execute(work)) as T };
}
