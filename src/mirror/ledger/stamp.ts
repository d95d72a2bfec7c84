import { MacroError } from '../../errors.ts';
import type { PageCommit } from '../api/page-commit.ts';
import type { DataKind, Stamp } from '../api/series.ts';
import type { LedgerSchema } from './ledger.ts';

type Row = LedgerSchema['mirror'];

/**
 * What the mirror's one row says of it.
 * @throws MacroError of kind `mirror`.
 */
export function stampFrom(row: Row | undefined, path: string): Stamp {
  if (!row) throw new MacroError('mirror', `The mirror ${path} has lost its stamp.`, { hint: RESTORE });
  return { id: row.id, service: row.service ?? undefined, nature: natureOf(row.nature) };
}

/**
 * The stamp once an answer is in; undefined when it decides nothing. One that does not fit is refused.
 * @throws MacroError of kind `mirror`.
 */
export function decideStamp(
  stamp: Stamp,
  { series, nature }: Pick<PageCommit, 'series' | 'nature'>,
  path: string,
): Pick<Row, 'service' | 'nature'> | undefined {
  const service = series.origin.startsWith('import:') ? undefined : series.origin;
  if (stamp.nature !== undefined && stamp.nature !== nature)
    throw new MacroError('mirror', `The mirror ${path} holds ${stamp.nature} data; this is ${nature}.`, {
      hint: 'Keep it in a mirror of its own: --mirror FILE.',
      code: 'mirror_nature',
    });
  if (stamp.service !== undefined && service !== undefined && stamp.service !== service)
    throw new MacroError('mirror', `The mirror ${path} holds answers of ${stamp.service}, not of ${service}.`, {
      hint: 'Keep the other service in a mirror of its own: --mirror FILE.',
      code: 'mirror_service',
    });
  const decides = stamp.nature === undefined || (stamp.service === undefined && service !== undefined);
  return decides ? { service: stamp.service ?? service ?? null, nature } : undefined;
}

const RESTORE = 'Restore a backup, or name another file with --mirror.';

function natureOf(text: string | null): DataKind | undefined {
  return text === 'real' || text === 'synthetic' ? text : undefined;
}

/** What a new mirror is told about itself. */
export interface Birth {
  readonly id: string;
  /** Milliseconds. */
  readonly created: number;
}
