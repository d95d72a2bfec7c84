import { MacroError } from '../errors.ts';
import type { Connection } from './connect.ts';
import type { LedgerSchema } from './ledger.ts';
import type { Nature, PageCommit, Stamp } from './mirror.ts';

type Row = LedgerSchema['mirror'];

/** Reads and sets whose answers the file holds. */
export function stampStatements(db: Connection, path: string) {
  const select = db.prepare<[], Row>('select id, created, service, nature from mirror');
  const update = db.prepare('update mirror set service = ?, nature = ?');

  function read(): Stamp {
    const row = select.get();
    if (!row) throw new MacroError('mirror', `The mirror ${path} has lost its stamp.`, { hint: RESTORE });
    return { id: row.id, service: row.service ?? undefined, nature: natureOf(row.nature) };
  }

  /**
   * The first answer decides; a later one that does not fit is refused. True when this one decided something. Runs inside
   * the transaction of the commit.
   */
  function check({ series, nature }: PageCommit): boolean {
    const stamp = read();
    const service = series.origin.startsWith('import:') ? undefined : series.origin;
    if (stamp.nature !== undefined && stamp.nature !== nature)
      throw new MacroError('mirror', `The mirror ${path} holds ${stamp.nature} data; this is ${nature}.`, {
        hint: 'Keep it in a file of its own: --mirror FILE.',
        code: 'mirror_nature',
      });
    if (stamp.service !== undefined && service !== undefined && stamp.service !== service)
      throw new MacroError('mirror', `The mirror ${path} holds answers of ${stamp.service}, not of ${service}.`, {
        hint: 'Keep the other service in a file of its own: --mirror FILE.',
        code: 'mirror_service',
      });
    const decides = stamp.nature === undefined || (stamp.service === undefined && service !== undefined);
    if (decides) update.run(stamp.service ?? service ?? null, nature);
    return decides;
  }

  return { read, check };
}

const RESTORE = 'Restore a backup, or name another file with --mirror.';

function natureOf(text: string | null): Nature | undefined {
  return text === 'real' || text === 'synthetic' ? text : undefined;
}
