import type { Where } from './select.ts';
import type { RowPart } from './sums.ts';
import type { Table } from './tables.ts';

/** The tables of an endpoint by part, as quoted names. */
export function partTables({ current, superseded, vintages }: Table): readonly (readonly [RowPart, string])[] {
  return [['current', current], ['superseded', superseded], ...(vintages ? [['vintages', vintages] as const] : [])];
}

/** Selects how many rows of each part of an endpoint were kept: part and number. */
export function keptRows({ endpoint }: Table): Where {
  return {
    sql: `select part, sum(rows) from sums join series on series.id = sums.series where endpoint = ? group by part`,
    values: [endpoint],
  };
}

/**
 * Tables that are not there though rows of them were kept. To make them anew would pass for a series that lost its rows
 * while everything else that is noted of it still holds.
 */
export function lostTables(
  table: Table,
  kept: readonly (readonly [part: string, rows: number])[],
  isThere: (name: string) => boolean,
): readonly string[] {
  return partTables(table).flatMap(([part, name]) => {
    const rows = kept.find(([one]) => one === part)?.[1] ?? 0;
    return rows > 0 && !isThere(name) ? [name.replaceAll('"', '')] : [];
  });
}
