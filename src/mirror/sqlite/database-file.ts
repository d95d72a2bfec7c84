import { type Stats, statSync } from 'node:fs';
import Database from 'better-sqlite3';
import { MacroError } from '../../errors.ts';

/**
 * Opens a database file, which is made when it is absent. Anything but a plain file is refused first: opening a pipe waits
 * for a writer, a device has no end, and no signal is heard meanwhile.
 *
 * @throws mirror_unusable
 */
export function openDatabase(path: string, options: Database.Options, use: Use = 'mirror'): Database.Database {
  refuseSpecialFile(path, use);
  const db = new Database(path, options);
  identities.set(db, fileIdentity(path));
  return db;
}

const identities = new WeakMap<Database.Database, string>();

/** Which file of the disk a connection has open, as `identityOf` tells it; undefined for one in memory. */
export function openedFile(db: Database.Database): string | undefined {
  return identities.get(db);
}

/** Which file of the disk has this name; `none` when it is not there, or cannot be looked at any more. */
export function fileIdentity(path: string): string {
  try {
    const { dev, ino } = statSync(path, { bigint: true });
    return `${dev} ${ino}`;
  } catch {
    return 'none';
  }
}

/** What the file is for. */
type Use = 'mirror' | 'lock';

function refuseSpecialFile(path: string, use: Use): void {
  const stats = statsOf(path);
  const kind = stats && KINDS.find(([, isKind]) => isKind(stats))?.[0];
  if (kind === undefined) return;
  const where = kind === 'a folder' ? 'Name a file in it' : 'Name a plain file';
  const hint = `${where} with --mirror, such as --mirror rates.db.`;
  throw new MacroError('mirror', `${path} is ${kind}, not a ${use}.`, {
    code: 'mirror_unusable',
    hint: use === 'mirror' ? hint : 'Remove it: the program makes a lock file there by itself.',
  });
}

const KINDS: readonly (readonly [kind: string, isKind: (stats: Stats) => boolean])[] = [
  ['a folder', (stats) => stats.isDirectory()],
  ['a named pipe', (stats) => stats.isFIFO()],
  ['a socket', (stats) => stats.isSocket()],
  ['a device', (stats) => stats.isCharacterDevice() || stats.isBlockDevice()],
];

/** Of a path that cannot be looked at, the driver tells why when it opens it. */
function statsOf(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}

export type SqliteConnection = Database.Database;
