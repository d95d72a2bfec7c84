import { readJson } from '../contract/json.ts';
import { addDays, isCalendarDate } from '../contract/time.ts';
import type { Connection } from './connect.ts';
import type { LedgerSchema } from './ledger.ts';
import type { AccessTag, KeyValue, Proof, ProofsOf } from './mirror.ts';

type Row = Pick<LedgerSchema['proofs'], 'starts' | 'ends' | 'rows' | 'proven_at' | 'skipped'>;

/** More overlapping proofs than this of one series and access are not worth their keep. */
const KEPT = 4;

/** Proofs that satisfy an access. */
export function proofReader(db: Connection) {
  const columns = 'starts, ends, rows, proven_at, skipped';
  const own = db.prepare<unknown[], Row>(
    `select ${columns} from proofs where series = ? and access = ? order by starts, ends`,
  );
  const every = db.prepare<unknown[], Row>(`select ${columns} from proofs where series = ? order by starts, ends`);
  const keyed = db.prepare<unknown[], Row>(
    `select ${columns} from proofs where series = ? and access <> 'keyless' order by starts, ends`,
  );
  const rowsOf = (series: number, access: ProofsOf) =>
    access === 'keyless' ? every.all(series) : access === 'keyed' ? keyed.all(series) : own.all(series, access);
  return (series: number, access: ProofsOf): readonly Proof[] => rowsOf(series, access).map(proofOf);
}

export function proofOf(row: Row): Proof {
  const { starts: from, ends: to, rows, proven_at: provenAt, skipped } = row;
  return {
    from,
    to,
    rows,
    provenAt,
    ...(skipped !== null && { skipped: readJson<NonNullable<Proof['skipped']>>(skipped) }),
  };
}

/** What a proof says of the rows before it, as it is kept. */
export function skippedText({ skipped }: Proof): string | null {
  return skipped ? JSON.stringify({ rows: skipped.rows, front: skipped.front, beside: skipped.beside }) : null;
}

/** A proof with what the mirror held of its window when it was noted. */
export interface KeptProof extends Proof {
  readonly commit?: number | null;
  readonly held?: number | null;
}

interface NewProof {
  readonly proof: Proof;
  /** The last commit. */
  readonly commit: number;
  /** Counts the held rows of a window. */
  countRows(from: KeyValue, to: KeyValue): number;
}

/** Adds a proof, and notes how many rows of its window are held: whoever deletes one later contradicts it. */
export function proofWriter(db: Connection) {
  const select = db.prepare<unknown[], Row & Pick<LedgerSchema['proofs'], 'commit_number' | 'held'>>(
    'select starts, ends, rows, proven_at, skipped, commit_number, held from proofs where series = ? and access = ?',
  );
  const clear = db.prepare('delete from proofs where series = ? and access = ?');
  const insert = db.prepare(
    `insert into proofs (series, access, starts, ends, rows, proven_at, commit_number, held, skipped)
     values (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  return (series: number, access: AccessTag, { proof, commit, countRows }: NewProof) => {
    const before: readonly KeptProof[] = select
      .all(series, access)
      .map((row) => ({ ...proofOf(row), commit: row.commit_number, held: row.held }));
    clear.run(series, access);
    for (const { one, isKnown, isNoted } of proofsAfter(before, proof)) {
      const { from, to, rows, provenAt } = one;
      const noted = isNoted ? one : { commit, held: countRows(from, to) };
      const known = isKnown ? rows : noted.held;
      insert.run(series, access, from, to, known, provenAt, noted.commit, noted.held, skippedText(one));
    }
  };
}

/**
 * The proofs once one more is in. `isKnown`: how many rows its window has was told by an answer. `isNoted`: how many of
 * them were held was noted before.
 */
export function proofsAfter(before: readonly KeptProof[], added: Proof) {
  const after: readonly KeptProof[] = addProof(before, added);
  return after.map((one) => ({
    one,
    isKnown: [added, ...before].some(({ from, to }) => one.from === from && one.to === to),
    isNoted: before.includes(one),
  }));
}

/**
 * The proofs once a new one is in. An older one inside of it says nothing more. An older one that it touches grows over it:
 * what is held as of now includes what was to be held then, so the union is proven as of the older moment, and the new
 * window as of the new one. Of many that overlap, the oldest go; the windows they covered stay covered.
 */
export function addProof(before: readonly Proof[], added: Proof): readonly Proof[] {
  const grown = new Map<string, Proof>();
  for (const old of before) {
    if (contains(added, old)) continue;
    const next = touches(old, added) ? union(old, added) : old;
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

function contains(outer: Proof, inner: Proof): boolean {
  return outer.from <= inner.from && outer.to >= inner.to;
}

function touches(a: Proof, b: Proof): boolean {
  return a.from <= following(b.to) && b.from <= following(a.to);
}

/** The next bound: windows of days and of seconds join without a gap. */
export function following(bound: KeyValue): KeyValue {
  if (typeof bound === 'number') return bound + 1;
  return isCalendarDate(bound) ? addDays(bound, 1) : bound;
}

function union(old: Proof, added: Proof): Proof {
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
function skippedBy(old: Proof, added: Proof): Proof['skipped'] {
  const front = (added.skipped ?? old.skipped)?.front;
  if (front === undefined) return undefined;
  const isNewestFirst = [old, added].some(({ skipped, to }) => skipped !== undefined && skipped.front > to);
  const reach = isNewestFirst ? Number(added.to >= old.to) : Number(added.from <= old.from);
  const isEven = isNewestFirst ? added.to === old.to : added.from === old.from;
  if (isEven) return added.skipped;
  return (reach ? added : old).skipped;
}
