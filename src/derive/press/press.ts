import type { PageArgs } from '../../contract/endpoint.ts';
import type { Derived, PageView } from '../../contract/hooks.ts';

export interface PressArgs extends PageArgs {
  readonly currency: string;
}

/** The publications of a central bank: the rows are the service's own, the page is counted again. Section 9.15. */
export function derivePress({ rows, stored, labels }: PageView<PressArgs>): Derived {
  return { envelope: { source: stored.source ?? labels.storage, count: rows.length } };
}
