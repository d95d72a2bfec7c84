import type { AccessTag, PageCommit, PaginationRun, SeriesKey, StoredSeries } from '../../api/mirror.ts';
import { checkedAtFirst } from '../../core/commit/commit-rules.ts';
import { type ChecksumChange, noChecksumChange } from '../../core/sums.ts';
import { type PaginationRunRow, wasWithheld } from '../../ledger/pagination-runs.ts';
import { scopeText } from '../../ledger/series.ts';
import type { SeriesLedger } from './series-ledger.ts';

/** The series of an answer. */
export interface SeriesInBatch {
  readonly id: number;
  /** As the answers before this one left it; undefined where this is its first one. */
  readonly stored: StoredSeries | undefined;
  /** What the answers of the transaction add to its sums. */
  readonly change: ChecksumChange;
}

interface OpenSeries {
  readonly change: ChecksumChange;
  /** As the file has it. */
  readonly before: StoredSeries;
  /** As it is to become. */
  next: StoredSeries;
}

interface OpenRun {
  readonly series: number;
  readonly access: AccessTag;
  kept: PaginationRunRow | undefined;
  isMoved: boolean;
}

/**
 * What the answers of one transaction share. Nobody else writes meanwhile, so what they read of the ledger is read once, and
 * their series, sums and positions are written once, at its end: a transaction takes several pages of a series.
 */
export function ledgerBatch({ series, walks, sums, stamp }: SeriesLedger) {
  const opened = new Map<string, OpenSeries>();
  const byId = new Map<number, OpenSeries>();
  const runs = new Map<string, OpenRun>();
  let stamped: Pick<PageCommit, 'series' | 'nature'> | undefined;

  function runOf(id: number, access: AccessTag): OpenRun {
    const name = `${id} ${access}`;
    const run = runs.get(name) ?? { series: id, access, kept: walks.read(id, access), isMoved: false };
    runs.set(name, run);
    return run;
  }

  function open(key: SeriesKey, name: string, make: () => StoredSeries): SeriesInBatch {
    const stored = series.get(key);
    const before = stored ?? make();
    const one: OpenSeries = { before, next: before, change: noChecksumChange() };
    opened.set(name, one);
    byId.set(before.id, one);
    return { id: before.id, stored, change: one.change };
  }

  return {
    /** Checks whose answers the file holds. Those of one series after the other are the same service's. */
    checkStamp(commit: PageCommit): void {
      if (stamped?.nature === commit.nature && stamped.series.origin === commit.series.origin) return;
      if (stamp.check(commit)) sums.sealStamp();
      stamped = commit;
    },
    /** The series of an answer, made where it is new. `number`: of the commit that makes it. */
    seriesOf(commit: PageCommit, number: number): SeriesInBatch {
      const key = commit.series;
      const name = nameOf(key);
      const known = opened.get(name);
      if (known) return { id: known.before.id, stored: known.next, change: known.change };
      return open(key, name, () => {
        const at = checkedAtFirst(commit);
        const id = series.add(key, number, at);
        return { ...key, id, generation: number, envelope: undefined, checkedAt: at };
      });
    },
    /** What an answer says of its series itself. */
    alter(id: number, facts: Partial<Pick<StoredSeries, 'generation' | 'envelope' | 'checkedAt'>>): void {
      const one = byId.get(id);
      if (one) one.next = { ...one.next, ...facts };
    },
    /** Rows of earlier pages of this run were held back. */
    isHeldBack: (id: number, access: AccessTag, run: PaginationRun | null | undefined): boolean =>
      run !== undefined && wasWithheld(runOf(id, access).kept, run),
    /** Where a run stands from now on; null when it is over. */
    moveRun(
      id: number,
      access: AccessTag,
      to: { readonly run: PaginationRun | null; readonly heldBack: boolean },
    ): void {
      const run = runOf(id, access);
      run.kept = to.run === null ? undefined : { ...to.run, ...(to.heldBack && { heldBack: true }) };
      run.isMoved = true;
    },
    /** Writes what is to be written once. */
    end(): void {
      for (const { series: id, access, kept, isMoved } of runs.values()) {
        if (!isMoved) continue;
        if (kept) walks.put(id, access, kept);
        else walks.drop(id, access);
      }
      for (const { before, next, change } of opened.values()) {
        if (next !== before) series.alter(before, next);
        sums.move(before.id, change);
        sums.sealSeries(before.id);
      }
    },
  };
}

export type LedgerBatch = ReturnType<typeof ledgerBatch>;

const nameOf = ({ endpoint, scope, origin }: SeriesKey): string => `${endpoint} ${scopeText(scope)} ${origin}`;
