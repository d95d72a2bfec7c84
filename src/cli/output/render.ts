import { escapeJson } from './clean.ts';
import { renderCsv, renderTsv } from './delimited.ts';
import { allColumns, pickFields, shownColumns } from './fields.ts';
import type { Format } from './format.ts';
import { renderJson, renderNdjson } from './json.ts';
import type { Listing } from './listing.ts';
import { renderMarkdown } from './markdown.ts';
import { type Shape, shapeRows } from './shape.ts';

export interface RenderOptions extends Shape {
  readonly format: Format;
  readonly header: boolean;
  readonly color: boolean;
  /** The text goes to a terminal and not to a file or a pipe. */
  readonly toTerminal: boolean;
  readonly width: number | undefined;
}

/** The one way from rows to text. Each text ends with exactly one newline; no rows and no header make no text. */
export async function renderListing(listing: Listing, options: RenderOptions): Promise<string> {
  const { format, fields } = options;
  if (format === 'chart') {
    const { plotOf } = await import('./chart/terminal.ts');
    return plotOf(listing, options);
  }
  if (format === 'json' && !fields && options.sort === undefined && !options.reverse)
    return forTerminal(renderJson(listing.body()), options);
  const isJson = format === 'json' || format === 'ndjson';
  const shaped = shapeRows(!isJson && listing.lines ? { ...listing, rows: listing.lines } : listing, options);
  const rows = shaped.map((row) => row.fields);
  if (isJson) {
    const texts = shaped.map((row) => (fields ? pickFields(row.fields, fields) : row.text));
    return forTerminal(format === 'json' ? renderJson(listing.body(texts)) : renderNdjson(texts), options);
  }
  if (format === 'csv' || format === 'tsv') {
    const columns = fields ?? allColumns(listing, rows).filter((name) => !listing.provenance?.has(name));
    const sheet = { columns, rows, header: options.header, kinds: listing };
    return format === 'csv' ? renderCsv(sheet) : renderTsv(sheet);
  }
  const columns = fields ?? shownColumns(listing, rows);
  if (format === 'md') return renderMarkdown(columns, rows, listing);
  const { renderTable } = await import('./table/table.ts');
  const { color, width } = options;
  // Nothing that was asked for by name is spare.
  const spare = fields ? [] : (listing.spare ?? []);
  return renderTable({ columns, spare, rows, view: listing.view, kinds: listing, color, width });
}

function forTerminal(text: string, options: RenderOptions): string {
  return options.toTerminal ? escapeJson(text) : text;
}
