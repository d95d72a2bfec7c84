import { existsSync, mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Mapping } from '../../contract/mapping.ts';
import { MacroError } from '../../errors.ts';
import type { Platform } from '../../platform/platform.ts';
import type { Mirror } from '../api/mirror.ts';
import { type Shared, sharedOf } from '../core/shared.ts';
import { BUSY_TIMEOUT, closingOnError, connectForReading, connectForWriting } from './connect.ts';
import type { SqliteConnection } from './database-file.ts';
import { mirrorFailure, translating } from './failures.ts';
import { absentMirror, emptyMirror, readState } from './migrate.ts';
import { mirrorOver } from './mirror.ts';
import { matchSchema } from './schema-match.ts';

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
    const shared = sharedOf(path, options.mappings, 'short');
    const db = options.mode === 'write' ? openForWriting(options, shared) : openForReading(options, shared);
    return mirrorOver(db, shared, { mode: options.mode, timeout: options.busyTimeout ?? BUSY_TIMEOUT });
  });
}

function openForWriting({ path, platform, busyTimeout, mappings }: OpenOptions, shared: Shared): SqliteConnection {
  makeFolder(path);
  const id = Buffer.from(platform.random.bytes(16)).toString('hex');
  const db = connectForWriting(path, { id, created: platform.clock.now() }, busyTimeout ?? BUSY_TIMEOUT);
  return closingOnError(db, () => {
    const stored = db.prepare<[], string>('select distinct endpoint from series').pluck().all();
    for (const endpoint of stored) {
      const table = Object.hasOwn(mappings, endpoint) ? shared.table(endpoint) : undefined;
      if (table) matchSchema(db, table, path);
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

function openForReading(options: OpenOptions, shared: Shared): SqliteConnection {
  const { path, busyTimeout } = options;
  if (!existsSync(path)) throw absentMirror(`There is no mirror at ${path}.`);
  const db = connectForReading(path, busyTimeout ?? BUSY_TIMEOUT);
  return closingOnError(db, () => {
    const state = readState(db, path);
    if (state === 'empty') throw emptyMirror(path);
    if (state === 'older') bringUpToDate(options, shared);
  });
}

/** Whoever asks a question of a file that an older program wrote has not to know of versions. */
function bringUpToDate(options: OpenOptions, shared: Shared): void {
  try {
    openForWriting(options, shared).close();
  } catch (cause) {
    // A disk that is full, a lock or damage is told as what it is.
    const known = mirrorFailure(options.path, cause);
    if (known instanceof MacroError && known.code !== 'mirror_unusable') throw known;
    throw new MacroError('mirror', `The mirror ${options.path} was written by an older version of this program.`, {
      hint: 'It could not be brought up to date: its file and its folder have to be writable, once.',
      code: 'mirror_older',
      cause,
    });
  }
}
