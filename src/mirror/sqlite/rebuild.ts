import type { Mapping } from '../../contract/mapping.ts';
import { tableOf } from '../rules/tables.ts';
import { alone, connectForUpkeep } from './compact.ts';
import { closingOnError, type SqliteConnection } from './connect.ts';
import { translating } from './failures.ts';
import { remakeColumns } from './schema-match.ts';
import { assertIntegrity } from './version.ts';

export interface RebuildAsk {
  readonly path: string;
  /** Mappings by endpoint id. */
  readonly mappings: Readonly<Record<string, Mapping>>;
  readonly onTable?: (table: string) => void;
}

export interface RebuiltTable {
  readonly table: string;
  readonly rows: number;
}

/** Makes the typed columns and the views anew from the stored texts, one transaction an endpoint. Texts stay as they are. */
export function rebuildMirror({ path, mappings, onTable }: RebuildAsk): readonly RebuiltTable[] {
  return translating(path, () => {
    const db = connectForUpkeep(path);
    closingOnError(db, () => assertIntegrity(db, path, 'quick'));
    try {
      const stored = db.prepare<[], string>('select distinct endpoint from series order by endpoint').pluck().all();
      return stored.flatMap((endpoint) => {
        const mapping = Object.hasOwn(mappings, endpoint) ? mappings[endpoint] : undefined;
        if (!mapping) return [];
        onTable?.(mapping.table);
        return rebuildTables(db, path, { endpoint, mapping });
      });
    } finally {
      db.close();
    }
  });
}

function rebuildTables(
  db: SqliteConnection,
  path: string,
  { endpoint, mapping }: { readonly endpoint: string; readonly mapping: Mapping },
): readonly RebuiltTable[] {
  const work = db.transaction(() => remakeColumns(db, tableOf(endpoint, mapping, 'short'), path));
  return alone(path, () => work.immediate());
}
