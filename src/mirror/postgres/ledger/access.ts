import { POSTGRES } from '../../ledger/statements/dialects.ts';
import { executeAsync, type LedgerAccess } from '../../ledger/statements/execute.ts';
import { boundValues, type LedgerWork } from '../../ledger/statements/statement.ts';
import type { ServerConnection } from '../connection.ts';
import type { ServerReading } from '../rows/reader.ts';
import type { Writing } from '../writing.ts';

/** Operations on the ledger of a mirror on a server. */
export function serverLedger(reading: ServerReading, { change, changeOwn }: Writing): LedgerAccess {
  const changing: LedgerAccess['change'] = (work) => change((seat) => runOn(seat, work()));
  return {
    read: (work) => reading((seat) => runOn(seat, work())),
    change: changing,
    changeOnce: changing,
    changeOwn: (work) => changeOwn((seat) => runOn(seat, work())),
  };
}

/** Does an operation inside of a transaction. */
function runOn<T>(seat: ServerConnection, work: LedgerWork<T>): Promise<T> {
  return executeAsync(work, (step) => {
    const compiled = step.compiledFor(POSTGRES);
    return seat.records({ sql: compiled.sql, values: boundValues(step, compiled, POSTGRES) });
  });
}
