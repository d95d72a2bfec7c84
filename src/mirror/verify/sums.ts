import type { Connection } from '../connect.ts';
import type { LedgerSchema } from '../ledger.ts';
import { emptySum, type Sum, sumText, type Tally } from '../sums.ts';
import type { Findings } from './findings.ts';

const NAMES: Readonly<Record<keyof Tally, string>> = {
  current: 'current rows',
  superseded: 'superseded rows',
  vintages: 'vintages',
};

/** Compares the rows that are held with those that were kept, by their number and the sum of their digests. */
export function checkSums(db: Connection, { series, held }: { series: number; held: Tally }, findings: Findings): void {
  const kept = keptSums(db, series);
  for (const part of ['current', 'superseded', 'vintages'] as const) {
    const { rows, text } = kept(part);
    const difference = held[part].rows - rows;
    if (difference < 0) findings.problem('missing', `${-difference} of ${rows} ${NAMES[part]} are gone`);
    else if (difference > 0)
      findings.problem('added', `${difference} more ${NAMES[part]} are held than the ${rows} that were kept`);
    else if (sumText(held[part]) !== text && findings.count('altered') === 0)
      findings.problem('altered', `the ${NAMES[part]} are not those that were kept`);
  }
}

/** Sums of something that is never summed: somebody put them in. */
export function checkParts(db: Connection, findings: Findings): void {
  const parts = db.prepare<[], [series: number, part: string]>('select series, part from sums').raw().iterate();
  for (const [series, part] of parts)
    if (series === 0 ? part !== 'stamp' : !SERIES_PARTS.has(part))
      findings.problem('ledger', `a sum of '${part}' is noted of series ${series}, which nobody keeps`);
}

const SERIES_PARTS: ReadonlySet<string> = new Set([...Object.keys(NAMES), 'commits', 'proofs', 'series']);

/** The sums that are noted of a series; what was never noted is nothing. */
export function keptSums(db: Connection, series: number): (part: string) => { rows: number; text: string } {
  const noted = db.prepare<[number], LedgerSchema['sums']>('select * from sums where series = ?').all(series);
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
