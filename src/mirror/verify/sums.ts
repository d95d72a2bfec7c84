import { type Checksum, emptySum, type Sum, sumText } from '../core/sums.ts';
import type { LedgerSchema } from '../ledger/ledger.ts';
import type { Evidence } from './evidence.ts';
import type { Findings } from './findings.ts';

const NAMES: Readonly<Record<keyof Checksum, string>> = {
  current: 'current rows',
  superseded: 'superseded rows',
  vintages: 'vintages',
};

/** Compares the rows that are stored with those that were kept, by their number and the sum of their digests. */
export async function checkSums(
  evidence: Evidence,
  { series, stored }: { series: number; stored: Checksum },
  findings: Findings,
): Promise<void> {
  const kept = await keptSums(evidence, series);
  for (const part of ['current', 'superseded', 'vintages'] as const) {
    const { rows, text } = kept(part);
    const difference = stored[part].rows - rows;
    if (difference < 0) findings.problem('missing', `${-difference} of ${rows} ${NAMES[part]} are gone`);
    else if (difference > 0)
      findings.problem('added', `${difference} more ${NAMES[part]} are held than the ${rows} that were kept`);
    else if (sumText(stored[part]) !== text && findings.count('altered') === 0)
      findings.problem('altered', `the ${NAMES[part]} are not those that were kept`);
  }
}

/** Sums of something that is never summed: somebody put them in. */
export async function checkParts(stored: Evidence, findings: Findings): Promise<void> {
  const all = { sql: 'select series, part from sums', values: [] };
  for await (const parts of stored.portions<[series: number, part: string]>(all))
    for (const [series, part] of parts)
      if (series === 0 ? part !== 'stamp' : !SERIES_PARTS.has(part))
        findings.problem('ledger', `a sum of '${part}' is noted of series ${series}, which nobody keeps`);
}

const SERIES_PARTS: ReadonlySet<string> = new Set([...Object.keys(NAMES), 'commits', 'proofs', 'series']);

/** The sums that are noted of a series; what was never noted is nothing. */
export async function keptSums({ rows }: Pick<Evidence, 'rows'>, series: number): Promise<KeptSums> {
  return keptIn(await rows<LedgerSchema['sums']>('select * from sums where series = ?', series));
}

export type KeptSums = (part: string) => { readonly rows: number; readonly text: string };

export function keptIn(noted: readonly LedgerSchema['sums'][]): KeptSums {
  const nothing = emptySum();
  return (part) => {
    const found = noted.find((one) => one.part === part);
    return found ? { rows: found.rows, text: found.sum } : { rows: 0, text: sumText(nothing) };
  };
}

/** Does what stands in the ledger add up to what was noted of it? */
export function addsUp(sum: Sum, kept: { rows: number; text: string }): boolean {
  return sum.rows === kept.rows && sumText(sum) === kept.text;
}
