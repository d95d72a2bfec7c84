import { MacroError } from '../../errors.ts';
import type { Shared } from '../sqlite/read.ts';
import type { ViewDialect } from '../views/dialect.ts';
import { VIEW_PARTS, type ViewPart } from '../views/parts.ts';
import { type View, viewsOf } from '../views/views.ts';

export interface ViewAsk {
  readonly endpoint: string;
  readonly part: ViewPart;
  /** Ids of the series, in the order in which their rows are wanted. */
  readonly series: readonly number[];
  /** Rows at most in one page. */
  readonly page: number;
  readonly signal: AbortSignal;
}

/** Whole numbers have all their digits. */
export type ViewCell = string | number | bigint | null;

/** Rows in the order of the view's columns. */
export type ViewPage = readonly (readonly ViewCell[])[];

/** The view that is asked for. */
export function viewFor({ endpoint, part }: ViewAsk, shared: Shared, dialect?: ViewDialect): View {
  const table = shared.table(endpoint);
  const view = table && viewsOf(table, dialect)[VIEW_PARTS.indexOf(part)];
  if (view) return view;
  throw new MacroError('internal', `There is no view of the ${part} rows of '${endpoint}'.`);
}
