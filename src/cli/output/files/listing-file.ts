import { isoSeconds } from '../../../contract/time.ts';
import { allColumns, cellText, type Fields, isNumber, rawAt } from '../fields.ts';
import type { TableFileFormat } from '../format.ts';
import type { Listing } from '../listing.ts';
import { type Shape, shapeRows } from '../shape.ts';
import { tableWriter } from './open.ts';
import { type Cell, dayOf, millisecondsOf, type TypedColumn } from './table.ts';

export interface FileOptions extends Shape {
  readonly format: TableFileFormat;
  /** Milliseconds. */
  readonly now: number;
}

interface FileColumn extends TypedColumn {
  readonly cells: readonly Cell[];
}

/** A listing as the bytes of a file with typed cells. */
export async function listingFile(listing: Listing, options: FileOptions): Promise<Uint8Array> {
  const shaped = shapeRows(listing.lines ? { ...listing, rows: listing.lines } : listing, options);
  const rows = shaped.map(({ fields }) => fields);
  const names = options.fields ?? allColumns(listing, rows);
  const columns = names.flatMap((name) => columnsOf(name, rows, listing.types?.get(name)));
  const chunks: Uint8Array[] = [];
  const writer = await tableWriter(options.format, {
    columns,
    facts: factsOf(listing, options.now),
    now: options.now,
    write: (bytes) => void chunks.push(bytes.slice()),
  });
  writer.write(rows.map((_, i) => columns.map(({ cells }) => cells[i] ?? null)));
  writer.end();
  return Buffer.concat(chunks);
}

function factsOf({ face, facts }: Listing, now: number): Readonly<Record<string, string>> {
  const title = face?.title.join(' · ');
  return {
    generator: 'macro',
    generated_at: isoSeconds(Math.floor(now / 1000)),
    ...(title !== undefined && { title }),
    ...facts,
  };
}

/**
 * The typed column of a field, and beside a number that is none of whole ones its text as published. The contract says the
 * type, else the values do; a value that does not fit makes the column one of text, for nothing may be lost or become
 * another value.
 */
function columnsOf(
  name: string,
  rows: readonly Fields[],
  told: TypedColumn['type'] | undefined,
): readonly FileColumn[] {
  const raws = rows.map((row) => rawAt(row, name));
  const type = told ?? typeOfValues(raws);
  const cells = raws.map((raw) => cellOf(type, raw));
  const text = raws.map((raw) => (raw === undefined || raw === 'null' ? null : cellText(raw)));
  const fits = cells.every((cell, i) => cell !== null || text[i] === null);
  if (!fits || type === 'text') return [{ name, type: 'text', cells: text }];
  return type === 'real'
    ? [
        { name, type, cells },
        { name: `${name}_text`, type: 'text', cells: text },
      ]
    : [{ name, type, cells }];
}

function typeOfValues(raws: readonly (string | undefined)[]): TypedColumn['type'] {
  const filled = raws.filter((raw) => raw !== undefined && raw !== 'null');
  if (filled.length === 0 || !filled.every(isNumber)) return 'text';
  return filled.every((raw) => cellOf('integer', raw) !== null) ? 'integer' : 'real';
}

/** The value of a raw member as its type has it; null for nothing, and for what does not fit. */
function cellOf(type: TypedColumn['type'], raw: string | undefined): Cell {
  if (raw === undefined || raw === 'null') return null;
  if (type === 'flag') return raw === 'true' ? 1 : raw === 'false' ? 0 : null;
  if (type === 'integer') return /^-?\d{1,18}$/.test(raw) ? BigInt(raw) : null;
  if (type === 'real') return isNumber(raw) && Number.isFinite(Number(raw)) ? Number(raw) : null;
  const text = cellText(raw);
  if (type === 'date') return dayOf(text) === null ? null : text;
  if (type === 'instant') return millisecondsOf(text) === null ? null : text;
  return text;
}
