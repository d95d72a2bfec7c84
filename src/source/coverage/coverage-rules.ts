import type { Vouchers } from '../../contract/hooks.ts';
import type { HeldSeries } from '../../mirror/api/mirror.ts';
import type { Question } from '../source.ts';
import type { Visibility } from '../answer/visibility.ts';

/** The series that stand for an answer, and the window that has to be covered where it is not the asked one. */
export interface Vouching {
  readonly series: readonly HeldSeries[];
  readonly window?: Vouchers['window'];
}

/** Undefined when none of the picked series can tell that the answer is complete. */
export function vouchersOf({ endpoint, args }: Question, picked: readonly HeldSeries[]): Vouching | undefined {
  if (!endpoint.compose?.vouches) return { series: picked };
  const named = endpoint.compose.vouches(args, picked);
  if (!named || named.series.length === 0) return undefined;
  const wanted = new Set(named.series);
  return { ...named, series: picked.filter((series) => wanted.has(series)) };
}

/** What a caller may see, of another window than the asked one. */
export function withWindow(visible: Visibility, window: Vouchers['window']): Visibility {
  return window ? { ...visible, args: { ...visible.args, ...window } } : visible;
}
