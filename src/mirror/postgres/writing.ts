import type { SystemRows } from '../rules/system-tables.ts';
import type { FoundMirror } from '../statements/commit.ts';
import type { ServerConnection } from './connection.ts';
import { isTakenBack } from './failures.ts';
import type { Leases } from './leases.ts';
import type { Pool } from './pool.ts';
import { SERVER_NOW } from './schema.ts';
import { requireServerVersion } from './version.ts';

type FoundRow = SystemRows['mirror'];

/** Does work on a connection that sees one state. `now`: the server's clock, if it dates the records. */
export type ServerReading = <T>(work: (connection: ServerConnection, now?: number) => Promise<T>) => Promise<T>;

/** Changes of a mirror, one at a time whoever makes them. */
export interface Writing {
  /** The work is done again where the server took it back for the sake of another change. */
  change<T>(work: Change<T>): Promise<T>;
  /** Work that cannot be done again. */
  changeOnce<T>(work: Change<T>): Promise<T>;
  /** The same for what a program may still note when it has lost its leases: nobody else writes it. */
  changeOwn<T>(work: Change<T>): Promise<T>;
}

type Change<T> = (connection: ServerConnection, found: FoundMirror) => Promise<T>;

export interface WritingOptions {
  readonly pool: Pool;
  readonly leases: Leases;
  readonly name: string;
  /** Who dates commits: machines whose clocks differ must not. */
  readonly dates: 'server' | 'caller';
  /** A random word. */
  readonly newWord: () => string;
}

interface FirstRow extends FoundRow {
  readonly version: number;
  readonly now: number;
}

/** How often a change is made that the server takes back for the sake of another one. */
const TRIES = 3;

/** A new word for the state of the mirror. */
const moveTo = (state: string) => `update mirror set state = '${state}'
  returning id, created, service, nature, bindings, version, ${SERVER_NOW} as now`;

/**
 * Each writer first replaces the state, which locks the row until it is done: commits get numbers without gaps, in
 * visible order. A counter would not do: a standby without the last commits, or a backup, continues from its own count.
 * Two states would then share a number.
 */
export function createWriting({ pool, leases, name, dates, newWord }: WritingOptions): Writing {
  const changeBy =
    (way: Pick<Pool, 'writing'>) =>
    <T>(work: Change<T>): Promise<T> =>
      way.writing(
        (connection, [found]) => {
          requireServerVersion(found, name);
          const { now, version: _, ...stamp } = found as FirstRow; // as `moveTo` selects
          return work(connection, { stamp, name, now: dates === 'server' ? now : undefined });
        },
        { first: moveTo(newWord()) },
      );
  const changeOnce = changeBy(leases);
  return { change: again(changeOnce), changeOnce, changeOwn: again(changeBy(pool)) };
}

/** Does a change again that the server took back. */
function again(change: Writing['changeOnce']): Writing['change'] {
  return async (work) => {
    for (let tries = 1; ; tries += 1) {
      try {
        return await change(work);
      } catch (error) {
        if (tries >= TRIES || !isTakenBack(error)) throw error;
      }
    }
  };
}
