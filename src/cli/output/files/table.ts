import type { ViewType } from '../../../mirror/views/view-columns.ts';

/** A column of a file whose cells have types. */
export interface TypedColumn {
  readonly name: string;
  readonly type: ViewType;
}

/** A cell as a view gives it: dates and instants are ISO text, a flag is 1 or 0. */
export type FileCell = string | number | bigint | null;

/** Takes rows page by page and writes them, so that no file needs memory for all of its rows. */
export interface FileTableWriter {
  write(rows: readonly (readonly FileCell[])[]): void;
  /** Writes what stands after the rows. */
  end(): void;
}

/** What is written into a file. */
export interface TableFile {
  readonly columns: readonly TypedColumn[];
  /** Facts about all of the rows: where they come from, when they were written. */
  readonly facts: Readonly<Record<string, string>>;
  /** Milliseconds. */
  readonly now: number;
  write(bytes: Uint8Array): void;
}

const DAY = 86_400_000;

/** Days since 1970-01-01 of a calendar date; null for anything else. */
export function dayOf(cell: FileCell): number | null {
  if (typeof cell !== 'string' || !/^\d{4}-\d{2}-\d{2}$/.test(cell)) return null;
  const ms = Date.parse(cell);
  return Number.isNaN(ms) || new Date(ms).toISOString().slice(0, 10) !== cell ? null : ms / DAY;
}

/** Milliseconds since 1970 of an ISO date-time with a zone; null for anything else. */
export function millisecondsOf(cell: FileCell): number | null {
  if (typeof cell !== 'string' || !/^\d{4}-\d{2}-\d{2}T.*(?:Z|[+-]\d{2}:\d{2})$/.test(cell)) return null;
  const ms = Date.parse(cell);
  return Number.isNaN(ms) ? null : ms;
}
