import { readJson } from '../../contract/json/json.ts';
import { addDays, isCalendarDate } from '../../contract/time/time.ts';
import type { CoverageInterval } from '../api/coverage.ts';
import type { KeyValue } from '../api/rows.ts';
import { certainPart, certainParts, type DatedProof } from './certain.ts';
import type { LedgerSchema } from './ledger.ts';

export type ProofColumns = Pick<
  LedgerSchema['proofs'],
  'access' | 'starts' | 'ends' | 'rows' | 'proven_at' | 'commit_number' | 'held' | 'skipped'
>;

/** More overlapping intervals than this of one series and access are not worth their keep. */
const KEPT = 4;

export function intervalOf(row: Omit<ProofColumns, 'access' | 'commit_number' | 'held'>): CoverageInterval {
  const { starts: from, ends: to, rows, proven_at: provenAt, skipped } = row;
  return {
    from,
    to,
    rows,
    provenAt,
    ...(skipped !== null && { skipped: readJson<NonNullable<CoverageInterval['skipped']>>(skipped) }),
  };
}

/** What an interval says of the rows before it, as it is kept. */
export function skippedText({ skipped }: CoverageInterval): string | null {
  return skipped ? JSON.stringify({ rows: skipped.rows, front: skipped.front, beside: skipped.beside }) : null;
}

/** A coverage interval with what the mirror stored of its window when it was noted. */
export interface CoverageRow extends CoverageInterval {
  readonly commit?: number | null;
  readonly held?: number | null;
}

/**
 * The coverage once one more interval is in. `isKnown`: how many rows its window has was told by an answer. `isNoted`: how many of
 * them were stored was noted before.
 */
export function coverageAfter(before: readonly DatedProof<CoverageRow>[], added: DatedProof, lateDays: number) {
  const known = { looks: [...before, added], lateDays };
  const [own] = certainPart(added, known);
  const rest: readonly CoverageRow[] = before.flatMap((look) => certainPart(look, known)).map(({ proof }) => proof);
  const after = own ? addInterval(rest, own.proof) : rest;
  const noted = known.looks.map(({ proof }) => proof);
  return after.map((one) => ({
    one,
    isKnown: noted.some(({ from, to }) => one.from === from && one.to === to),
    isNoted: before.some(({ proof }) => proof === one),
  }));
}

/**
 * The intervals once a new one is in. An older one inside of it says nothing more. An older one that it touches grows over
 * it: what is stored as of now includes what was to be stored then, so the union is verified as of the older moment, and the
 * new window as of the new one. Of many that overlap, the oldest go; the windows they covered stay covered.
 */
export function addInterval(before: readonly CoverageRow[], added: CoverageInterval): readonly CoverageRow[] {
  const grown = new Map<string, CoverageInterval>();
  for (const old of before) {
    if (contains(added, old)) continue;
    const next = touches(old, added) ? grownOver(old, added) : old;
    const name = JSON.stringify([next.from, next.to]);
    const other = grown.get(name);
    if (!other || other.provenAt < next.provenAt) grown.set(name, next);
  }
  const kept = [...grown.values(), added];
  while (kept.length > KEPT) {
    const spare = kept
      .filter((proof) => proof !== added && kept.some((other) => other !== proof && contains(other, proof)))
      .sort((a, b) => a.provenAt - b.provenAt)[0];
    if (!spare) break;
    kept.splice(kept.indexOf(spare), 1);
  }
  return kept;
}

function contains(outer: CoverageInterval, inner: CoverageInterval): boolean {
  return outer.from <= inner.from && outer.to >= inner.to;
}

function touches(a: CoverageInterval, b: CoverageInterval): boolean {
  return a.from <= following(b.to) && b.from <= following(a.to);
}

/** The next bound: windows of days and of seconds join without a gap. */
export function following(bound: KeyValue): KeyValue {
  if (typeof bound === 'number') return bound + 1;
  return isCalendarDate(bound) ? addDays(bound, 1) : bound;
}

/** The union, or the old one itself where it says no more. */
function grownOver(old: CoverageInterval, added: CoverageInterval): CoverageInterval {
  const { from, to, provenAt, skipped } = union(old, added);
  const isSame = from === old.from && to === old.to && provenAt === old.provenAt && skipped === old.skipped;
  return isSame ? old : union(old, added);
}

function union(old: CoverageInterval, added: CoverageInterval): CoverageInterval {
  const skipped = skippedBy(old, added);
  return {
    ...(skipped && { skipped }),
    from: old.from < added.from ? old.from : added.from,
    to: old.to > added.to ? old.to : added.to,
    rows: old.rows,
    provenAt: Math.min(old.provenAt, added.provenAt),
  };
}

/** Rows before a union: those before the one of both that reaches the side where they lie. Windows without any lie at the front. */
function skippedBy(old: CoverageInterval, added: CoverageInterval): CoverageInterval['skipped'] {
  const isNewestFirst = [old, added].some(({ skipped, to }) => skipped !== undefined && skipped.front > to);
  const reaches = isNewestFirst ? added.to >= old.to : added.from <= old.from;
  return (reaches ? added : old).skipped;
}

/** The interval that reaches furthest of what is certain of several looks. */
export function newestCertain(looks: readonly DatedProof[], lateDays: number): CoverageInterval | undefined {
  return newestOf(certainParts(looks, lateDays).map(({ proof }) => proof));
}

/** The interval that reaches furthest, without those that rows lie behind; of several the latest. */
export function newestOf(proofs: readonly CoverageInterval[]): CoverageInterval | undefined {
  const heads = proofs.filter(({ skipped }) => skipped === undefined);
  return heads.reduce<CoverageInterval | undefined>((best, proof) => {
    if (!best || proof.to > best.to) return proof;
    return proof.to === best.to && proof.provenAt > best.provenAt ? proof : best;
  }, undefined);
}
