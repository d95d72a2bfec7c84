import { addDays, isCalendarDate } from '../contract/time.ts';
import type { Connection } from './connect.ts';
import type { LedgerSchema } from './ledger.ts';
import type { AccessTag, KeyValue, Proof } from './mirror.ts';

type Row = Pick<LedgerSchema['proofs'], 'starts' | 'ends' | 'rows' | 'proven_at'>;

/** More overlapping proofs than this of one series and access are not worth their keep. */
const KEPT = 4;

/** Proofs that satisfy an access: its own, and for a keyless question those of any key. */
export function proofReader(db: Connection) {
  const columns = 'starts, ends, rows, proven_at';
  const own = db.prepare<unknown[], Row>(
    `select ${columns} from proofs where series = ? and access = ? order by starts, ends`,
  );
  const every = db.prepare<unknown[], Row>(`select ${columns} from proofs where series = ? order by starts, ends`);
  return (series: number, access: AccessTag): readonly Proof[] =>
    (access === 'keyless' ? every.all(series) : own.all(series, access)).map(proofOf);
}

function proofOf(row: Row): Proof {
  return { from: row.starts, to: row.ends, rows: row.rows, provenAt: row.proven_at };
}

/** Adds a proof. `countRows` counts the held rows of a window, for windows that grow together. */
export function proofWriter(db: Connection) {
  const select = db.prepare<unknown[], Row>(
    'select starts, ends, rows, proven_at from proofs where series = ? and access = ?',
  );
  const clear = db.prepare('delete from proofs where series = ? and access = ?');
  const insert = db.prepare(
    'insert into proofs (series, access, starts, ends, rows, proven_at) values (?, ?, ?, ?, ?, ?)',
  );
  return (
    series: number,
    access: AccessTag,
    told: { proof: Proof; countRows: (from: KeyValue, to: KeyValue) => number },
  ) => {
    const before = select.all(series, access).map(proofOf);
    const after = addProof(before, told.proof);
    clear.run(series, access);
    for (const { from, to, rows, provenAt } of after) {
      const known = [told.proof, ...before].some((proof) => proof.from === from && proof.to === to);
      insert.run(series, access, from, to, known ? rows : told.countRows(from, to), provenAt);
    }
  };
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
function following(bound: KeyValue): KeyValue {
  if (typeof bound === 'number') return bound + 1;
  return isCalendarDate(bound) ? addDays(bound, 1) : bound;
}

function union(old: Proof, added: Proof): Proof {
  return {
    from: old.from < added.from ? old.from : added.from,
    to: old.to > added.to ? old.to : added.to,
    rows: old.rows,
    provenAt: Math.min(old.provenAt, added.provenAt),
  };
}
