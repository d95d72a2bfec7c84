import { POSTGRES } from '../../ledger/statements/dialects.ts';
import { executeAsync, type LedgerAccess } from '../../ledger/statements/execute.ts';
import { boundValues, type LedgerWork } from '../../ledger/statements/statement.ts';
import type { ServerConnection } from '../connection.ts';
import type { ServerReading } from '../rows/reader.ts';
import type { Writing } from '../writing.ts';

/** Operations on the ledger of a mirror on a server. */
export function serverLedger(reading: ServerReading, { change, changeOwn }: Writing): LedgerAccess {
  const changing: LedgerAccess['change'] = (work) => change((connection) => runOn(connection, work()));
  return {
    read: (work) => reading((connection) => runOn(connection, work())),
    change: changing,
    changeOnce: changing,
    changeOwn: (work) => changeOwn((connection) => runOn(connection, work())),
  };
}

/** Does an operation inside of a transaction. */
function runOn<T>(connection: ServerConnection, work: LedgerWork<T>): Promise<T> {
  return executeAsync(work, (step) => {
    const compiled = step.compiledFor(POSTGRES);
    return connection.records({ sql: compiled.sql, values: boundValues(step, compiled, POSTGRES) });
  });
}
