import type { LedgerSchema } from '../rules/ledger.ts';
import type { ServerConnection } from './connection.ts';
import type { Leases } from './leases.ts';
import type { Pool } from './pool.ts';
import { requireServerVersion } from './version.ts';

/** The mirror as a transaction that writes finds it. */
export interface FoundStamp {
  readonly stamp: LedgerSchema['mirror'];
  readonly name: string;
  /** The server's clock in milliseconds; undefined where callers say when they write. */
  readonly now: number | undefined;
}

/** Changes of a mirror, one at a time whoever makes them. */
export interface Writing {
  change<T>(work: Change<T>): Promise<T>;
  /** The same for what a program may still note when it has lost its leases: nobody else writes it. */
  changeOwn<T>(work: Change<T>): Promise<T>;
}

type Change<T> = (connection: ServerConnection, found: FoundStamp) => Promise<T>;

export interface WritingOptions {
  readonly pool: Pool;
  readonly leases: Leases;
  readonly name: string;
  readonly channel: string;
  /** Who dates commits: machines whose clocks differ must not. */
  readonly dates: 'server' | 'caller';
  /** Called with the count of changes, once it is lasting. */
  readonly changed: (count: number) => void;
}

interface FirstRow extends Pick<LedgerSchema['mirror'], 'id' | 'created' | 'service' | 'nature' | 'bindings'> {
  readonly version: number;
  readonly changes: number;
  readonly now: number;
}

const MOVE = `update mirror set changes = changes + 1 returning id, created, service, nature, bindings, version, changes,
  (extract(epoch from clock_timestamp()) * 1000)::bigint as now`;

/**
 * Moving the count of changes is the first thing that a writer does: the row is locked until it is done, so that commits are
 * numbered without a gap, in the order in which they are seen. Whoever listens is told the count when the change is lasting.
 */
export function createWriting({ pool, leases, name, channel, dates, changed }: WritingOptions): Writing {
  const changeBy =
    (way: Pick<Pool, 'writing'>) =>
    async <T>(work: Change<T>): Promise<T> => {
      let count = 0;
      const begin = async (connection: ServerConnection, found: readonly unknown[]) => {
        requireServerVersion(found[0], name);
        const { changes, now, version: _, ...stamp } = found[0] as FirstRow; // as MOVE selects
        count = changes;
        return work(connection, { stamp, name, now: dates === 'server' ? now : undefined });
      };
      const done = await way.writing(begin, { first: MOVE, last: () => `notify "${channel}", '${count}'` });
      changed(count);
      return done;
    };
  return { change: changeBy(leases), changeOwn: changeBy(pool) };
}
