import type { AsOf } from '../../../contract/time/moments.ts';
import type { Selection } from '../../api/selection.ts';

/** A selection with the moment that it is put at. */
export type PastSelection = Selection & { readonly asOf: AsOf };

export function isPast(selection: Selection): selection is PastSelection {
  return selection.asOf !== undefined;
}
