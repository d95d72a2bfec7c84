import type { Caller } from '../../contract/hooks.ts';
import type { MemoryBudget } from '../../contract/memory-budget.ts';
import type { Mirror } from '../../mirror/api/mirror.ts';
import type { Stamp } from '../../mirror/api/series.ts';
import type { ByteCache } from './byte-cache.ts';
import { createKeptReader, type KeptReader } from './kept-reader.ts';
import { createKeptRows } from './kept-rows.ts';
import { emptyState, forgetState, type KeptState } from './kept-state.ts';
import type { KnownBasis } from './known-basis.ts';
import { openLate, StateMoved } from './late-snapshot.ts';

/** One consistent state of a mirror, read as far as it was not read before. */
export interface MemoryView {
  readonly reader: KeptReader;
  readonly stamp: Stamp;
  readonly bases: ByteCache<KnownBasis>;
}

export interface MirrorMemory {
  /** Runs work that sees one state of the mirror. It may be run again, when the mirror has changed meanwhile. */
  read<T>(caller: Caller, work: (view: MemoryView) => Promise<T>): Promise<T>;
}

interface HeldState extends KeptState {
  readonly number: number | undefined;
  stamp: Stamp | undefined;
}

/** How often work is begun anew beside a busy writer before it reads everything in one snapshot. */
const TRIES = 3;

/** What was read of a mirror, in bounded memory, for as long as it is right. */
export function createMirrorMemory(mirror: Mirror, budget: MemoryBudget): MirrorMemory {
  const kept = createKeptRows(budget);
  const freshState = (number: number | undefined): HeldState => ({ ...emptyState(budget), number, stamp: undefined });
  let current = freshState(undefined);

  function stateNow(): HeldState {
    const number = mirror.state();
    if (number !== undefined && current.number === number) return current;
    forgetState(current);
    current = freshState(number);
    return current;
  }

  async function attempt<T>(caller: Caller, state: HeldState, work: (view: MemoryView) => Promise<T>): Promise<T> {
    const snapshot = openLate(mirror, state.number);
    try {
      state.stamp ??= await mirror.stamp();
      const reader = createKeptReader({ snapshot, state, kept, scope: scopeOf(caller, state) });
      return await work({ reader, stamp: state.stamp, bases: state.bases });
    } finally {
      await snapshot.end();
      // Nobody can be given a state without a number again.
      if (state.number === undefined) forgetState(state);
    }
  }

  return {
    async read(caller, work) {
      for (let tries = 1; ; tries += 1) {
        const state = tries <= TRIES ? stateNow() : freshState(undefined);
        try {
          return await attempt(caller, state, work);
        } catch (error) {
          if (!(error instanceof StateMoved) || tries > TRIES) throw error;
        }
      }
    },
  };
}

/** Whoever asks without a key must not see what a key brought since: see `KeptReading.scope`. */
function scopeOf(caller: Caller, { number }: HeldState): string | undefined {
  if (caller.kind !== 'keyless') return '';
  return number === undefined ? undefined : `${number} `;
}
