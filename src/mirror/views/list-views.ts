import type { Mapping } from '../../contract/mapping.ts';
import { tableOf } from '../core/tables.ts';
import type { ViewType } from './view-columns.ts';
import { viewsOf } from './views.ts';

export interface ListedColumn {
  readonly view: string;
  readonly column: string;
  readonly type: ViewType;
}

/** Every column of every view, as the mappings make them: they are the same whatever a mirror holds. */
export function listViews(mappings: Readonly<Record<string, Mapping>>): readonly ListedColumn[] {
  return Object.entries(mappings).flatMap(([endpoint, mapping]) =>
    viewsOf(tableOf(endpoint, mapping)).flatMap(({ name, columns }) =>
      columns.map((column) => ({ view: name, column: column.name, type: column.type })),
    ),
  );
}

/** The table of each view: both are made with the first rows of their kind. */
export function tablesOfViews(mappings: Readonly<Record<string, Mapping>>): ReadonlyMap<string, string> {
  return new Map(
    Object.entries(mappings).flatMap(([endpoint, mapping]) =>
      viewsOf(tableOf(endpoint, mapping)).map(({ name }) => [name, mapping.table] as const),
    ),
  );
}
