import { existsSync, mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Mapping } from '../contract/mapping.ts';
import { MacroError } from '../errors.ts';
import type { Platform } from '../platform/platform.ts';
import { committer } from './commit.ts';
import { BUSY_TIMEOUT, type Connection, closingOnError, connectForReading, connectForWriting } from './connect.ts';
import { mirrorFailure, translating } from './failures.ts';
import { fitTables } from './fit.ts';
import { readState } from './migrate.ts';
import type { Mirror, MirrorReader } from './mirror.ts';
import { createReader, type Shared } from './read.ts';
import { createSnapshots } from './snapshots.ts';
import { type Table, tableOf } from './tables.ts';
import { ledgerOf } from './writers.ts';

export interface OpenOptions {
  readonly path: string;
  /** Mappings by endpoint id. */
  readonly mappings: Readonly<Record<string, Mapping>>;
  readonly platform: Pick<Platform, 'clock' | 'random'>;
  readonly mode: 'write' | 'read';
  /** Milliseconds to wait for another program's transaction. */
  readonly busyTimeout?: number;
}

/** Opens the mirror of a file; in `write` mode it is made when absent. */
export async function openMirror(options: OpenOptions): Promise<Mirror> {
  const { path } = options;
  return translating(path, () => {
    const shared = sharedOf(options);
    const db = options.mode === 'write' ? openForWriting(options, shared) : openForReading(options);
    return mirrorOver(db, shared, options);
  });
}

function sharedOf({ path, mappings }: OpenOptions): Shared {
  const tables = new Map<string, Table>();
  return {
    path,
    table(endpoint) {
      const known = tables.get(endpoint);
      if (known) return known;
      const mapping = Object.hasOwn(mappings, endpoint) ? mappings[endpoint] : undefined;
      if (!mapping) return undefined;
      const table = tableOf(endpoint, mapping);
      tables.set(endpoint, table);
      return table;
    },
    commitTimes: new Map(),
    counts: new Map(),
  };
}

function openForWriting({ path, platform, busyTimeout, mappings }: OpenOptions, shared: Shared): Connection {
  makeFolder(path);
  const id = Buffer.from(platform.random.bytes(16)).toString('hex');
  const db = connectForWriting(path, { id, created: platform.clock.now() }, busyTimeout ?? BUSY_TIMEOUT);
  return closingOnError(db, () => {
    const held = db.prepare<[], string>('select distinct endpoint from series').pluck().all();
    for (const endpoint of held) {
      const table = Object.hasOwn(mappings, endpoint) ? shared.table(endpoint) : undefined;
      if (table) fitTables(db, table, path);
    }
  });
}

function makeFolder(path: string): void {
  try {
    mkdirSync(dirname(path), { recursive: true });
  } catch (cause) {
    throw new MacroError('mirror', `The folder of the mirror ${path} cannot be made.`, {
      hint: 'Check the permissions, or name another file with --mirror.',
      code: 'mirror_unusable',
      cause,
    });
  }
}

function openForReading({ path, busyTimeout }: OpenOptions): Connection {
  if (!existsSync(path)) throw absent(`There is no mirror at ${path}.`);
  const db = connectForReading(path, busyTimeout ?? BUSY_TIMEOUT);
  return closingOnError(db, () => {
    const state = readState(db, path);
    if (state === 'empty') throw absent(`The mirror ${path} is empty.`);
    if (state === 'older')
      throw new MacroError('mirror', `The mirror ${path} was written by an older version of this program.`, {
        hint: 'Run `macro sync` once: it brings the file up to date.',
        code: 'mirror_older',
      });
  });
}

function absent(message: string): MacroError {
  return new MacroError('mirror', message, {
    hint: 'Fill one with `macro sync` or `macro import`, or name another file with --mirror.',
    code: 'mirror_absent',
  });
}

function mirrorOver(db: Connection, shared: Shared, options: OpenOptions): Mirror {
  const { path } = options;
  const ledger = ledgerOf(db, path);
  const commit = options.mode === 'write' ? committer(db, shared, ledger) : refuseToWrite(path);
  const reader = createReader(db, shared);
  const dataVersion = db.prepare('pragma data_version').pluck();
  const snapshots = createSnapshots(() => {
    const own = connectForReading(path, options.busyTimeout ?? BUSY_TIMEOUT);
    return { db: own, reader: translated(createReader(own, shared), path) };
  });
  // The version that SQLite counts is that of the others' commits.
  let own = 0;

  async function changing<T>(work: () => T): Promise<T> {
    own += 1;
    return translating(path, work);
  }

  return {
    ...translated(reader, path),
    name: path,
    stamp: async () => translating(path, () => ledger.stamp.read()),
    snapshot: async (read) => {
      try {
        return await snapshots.run(read);
      } catch (error) {
        throw mirrorFailure(path, error);
      }
    },
    version: () => translating(path, () => Number(dataVersion.get()) + own),
    commitPage: (page) => changing(() => commit(page)),
    touch: (series, access, question, at) =>
      changing(() => {
        const held = ledger.series.get(series);
        if (!held) return;
        ledger.series.check(held.id, at);
        ledger.validators.touch(access, question, at);
      }),
    walk: async (series, access) =>
      translating(path, () => {
        const held = ledger.series.get(series);
        return held && ledger.walks.get(held.id, access);
      }),
    dropWalk: (series, access) =>
      changing(() => {
        const held = ledger.series.get(series);
        if (held) ledger.walks.drop(held.id, access);
      }),
    validator: async (access, question) => translating(path, () => ledger.validators.get(access, question)),
    close() {
      snapshots.close();
      db.close();
    },
  };
}

function refuseToWrite(path: string) {
  return (): never => {
    throw new MacroError('mirror', `The mirror ${path} was opened for reading only.`, { code: 'mirror_read_only' });
  };
}

function translated(reader: MirrorReader, path: string): MirrorReader {
  const guard = async <T>(work: Promise<T>): Promise<T> => {
    try {
      return await work;
    } catch (error) {
      throw mirrorFailure(path, error);
    }
  };
  return {
    find: (ref) => guard(reader.find(ref)),
    count: (series, selection) => guard(reader.count(series, selection)),
    rows: (series, selection, page) => guard(reader.rows(series, selection, page)),
    vintages: (series, key) => guard(reader.vintages(series, key)),
    proofs: (series, access) => guard(reader.proofs(series, access)),
  };
}
