import { type Digest, factDigest } from '../core/digest.ts';
import type { Sum } from '../core/sums.ts';
import type { LedgerSchema } from './ledger.ts';

export const seriesFact = (row: LedgerSchema['series']): Digest =>
  factDigest([
    row.endpoint,
    row.scope,
    row.origin,
    row.generation,
    row.checked_at,
    row.envelope,
    row.envelope_inputs,
    row.envelope_commit,
  ]);

export const commitFact = (row: LedgerSchema['commits']): Digest =>
  factDigest([row.number, row.at, row.access, row.request, row.added, row.revised, row.vanished, row.unchanged]);

export const coverageFact = (row: LedgerSchema['proofs']): Digest =>
  factDigest([
    ...[row.access, row.starts, row.ends, row.rows, row.proven_at, row.commit_number, row.held],
    // Digests from before it was kept stay what they are.
    ...(row.skipped === null || row.skipped === undefined ? [] : [row.skipped]),
  ]);

export const stampFact = (row: LedgerSchema['mirror']): Digest => factDigest([row.service, row.nature]);

/** A noted sum once something was added to it. */
export function checksumChangeOf(stored: Pick<LedgerSchema['sums'], 'rows' | 'sum'> | undefined, by: Sum): Sum {
  const words = by.words.map((word, i) => word + Number.parseInt(stored?.sum.slice(8 * i, 8 * i + 8) ?? '0', 16));
  return { rows: by.rows + (stored?.rows ?? 0), words };
}
