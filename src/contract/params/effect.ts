/**
 * What a query parameter outside of scope, window and paging does to an answer when it differs from its default. Whoever
 * keeps answers, proves them or computes them reads it here.
 *
 * - `adds`: members that are computed over the same rows. They are cut out of what is kept, in the rows and beside them.
 * - `selects`: other rows of the same series, each as it is. Only with `column` it is a comparison with that column.
 * - `orders`: the same rows in another order.
 * - `changes`: other values, which are not kept. `mirrored`: the mirror can compute them from what it holds.
 */
export type Effect =
  | { readonly does: 'adds'; readonly rows: readonly string[]; readonly beside: readonly string[] }
  | { readonly does: 'selects'; readonly column?: string }
  | { readonly does: 'orders' }
  | { readonly does: 'changes'; readonly mirrored: boolean };

export function adds(members: { readonly rows?: readonly string[]; readonly beside?: readonly string[] }): Effect {
  return { does: 'adds', rows: members.rows ?? [], beside: members.beside ?? [] };
}

/** Rows with the asked value in a column. */
export const selectsBy = (column: string): Effect => ({ does: 'selects', column });

/** Rows that only the endpoint's hooks can pick. */
export const selects: Effect = { does: 'selects' };
export const orders: Effect = { does: 'orders' };
export const changes: Effect = { does: 'changes', mirrored: true };

/** Other values that only the service can tell. */
export const changesAtService: Effect = { does: 'changes', mirrored: false };
