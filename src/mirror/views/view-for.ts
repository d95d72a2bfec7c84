import { MacroError } from '../../errors.ts';
import { VIEW_PARTS, type ViewAsk } from '../api/view-ask.ts';
import type { Shared } from '../core/shared.ts';
import type { ViewDialect } from './view-columns.ts';
import { type View, viewsOf } from './views.ts';

/**
 * The view that is asked for.
 * @throws MacroError of kind `internal`.
 */
export function viewFor({ endpoint, part }: ViewAsk, shared: Shared, dialect?: ViewDialect): View {
  const table = shared.table(endpoint);
  const view = table && viewsOf(table, dialect)[VIEW_PARTS.indexOf(part)];
  if (view) return view;
  throw new MacroError('internal', `There is no view of the ${part} rows of '${endpoint}'.`);
}
