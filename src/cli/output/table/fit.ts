/** A column of a table on its way into a terminal. */
export interface TableColumn {
  readonly name: string;
  readonly cells: readonly string[];
  readonly isRight: boolean;
  /** Numbers and times: a part of one is another one. */
  readonly isFixed: boolean;
  /** How soon it is left out where there is no room, 0 first; undefined for never. */
  readonly spare: number | undefined;
}

export interface FittedColumn extends TableColumn {
  readonly width: number;
  /** The name on lines that are no wider than the column. */
  readonly head: readonly string[];
}

/** What is kept of a longer text in a column that could be left out as well. */
const MIN_READABLE = 16;
const GAP = 2;

/**
 * The columns that fit into a width. Spare texts give way, widest first, as far as they stay readable; then spare columns are
 * left out, the least important first. Undefined when not even the others fit: nothing of them is ever cut.
 */
export function fitColumns(all: readonly TableColumn[], width: number): readonly FittedColumn[] | undefined {
  let kept = all;
  for (;;) {
    const widths = shrinkToFit(kept, width);
    if (widths) return kept.map((column, i) => fitted(column, widths[i] ?? 0));
    const next = leastImportant(kept);
    if (!next) return undefined;
    kept = kept.filter((column) => column !== next);
  }
}

function leastImportant(columns: readonly TableColumn[]): TableColumn | undefined {
  const spare = columns.filter((column) => column.spare !== undefined);
  return spare.toSorted((a, b) => (a.spare ?? 0) - (b.spare ?? 0))[0];
}

/** Names are broken at first, where they are wider than their values; then spare texts are cut. */
function shrinkToFit(columns: readonly TableColumn[], width: number): readonly number[] | undefined {
  const whole = columns.map((column) => Math.max(column.name.length, naturalWidth(column)));
  const broken = shrink(whole, columns.map(naturalWidth), width);
  const widths = lineWidth(broken) > width ? shrink(broken, columns.map(leastWidth), width) : broken;
  return lineWidth(widths) > width ? undefined : widths;
}

/** Takes from the widest of those that can give until the line fits or nobody can. */
function shrink(from: readonly number[], least: readonly number[], width: number): readonly number[] {
  const widths = [...from];
  while (lineWidth(widths) > width) {
    const spare = widths.map((each, i) => (each > (least[i] ?? each) ? each : 0));
    const widest = Math.max(...spare);
    if (widest === 0) break;
    widths[spare.indexOf(widest)] = widest - 1;
  }
  return widths;
}

function naturalWidth({ name, cells }: TableColumn): number {
  return longest([...cells, ...nameParts(name)]);
}

function leastWidth(column: TableColumn): number {
  const natural = naturalWidth(column);
  if (column.isFixed || column.spare === undefined) return natural;
  return Math.min(natural, Math.max(MIN_READABLE, longest(nameParts(column.name))));
}

function lineWidth(widths: readonly number[]): number {
  return widths.reduce((sum, each) => sum + each, GAP * (widths.length - 1));
}

function fitted(column: TableColumn, width: number): FittedColumn {
  const head: string[] = [];
  for (const part of nameParts(column.name)) {
    const joined = `${head.at(-1) ?? ''}${part}`;
    if (head.length === 0 || joined.length > width) head.push(part);
    else head[head.length - 1] = joined;
  }
  return { ...column, width, head };
}

/** A name like `previous_value` or `latest.date` in pieces that may stand on lines of their own. */
function nameParts(name: string): readonly string[] {
  return name.match(/[^_.]+[_.]*|[_.]+/g) ?? [name];
}

function longest(texts: readonly string[]): number {
  return texts.reduce((most, text) => Math.max(most, text.length), 0);
}
