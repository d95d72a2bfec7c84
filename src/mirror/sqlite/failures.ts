import type { MacroError } from '../../errors.ts';
import { sqliteCode } from '../../platform/file-error.ts';
import { type Meaning, storageErrorOf } from '../rules/failures.ts';

const LOCKED: Meaning = [
  'is locked by another program',
  'Wait until that program is done, or close it, and try again.',
  'mirror_locked',
];

/** The words of every damage are the same, however it shows. */
const DAMAGED: Meaning = [
  'is damaged',
  'Keep a copy of the file, then restore a backup, or name a new file with --mirror and run `macro sync`.',
  'mirror_damaged',
];

/** Messages of SQLite when a statement of this program does not fit the tables: it was written for them. */
const UNFIT = /^(error in \w+ \S+: )?(no such (table|column|index|view)|table \S+ has no column|malformed)/;

/** Matched by the start of the result code of SQLite. */
const MEANINGS: readonly (readonly [prefix: string, ...Meaning])[] = [
  ['SQLITE_BUSY', ...LOCKED],
  ['SQLITE_LOCKED', ...LOCKED],
  ['SQLITE_PROTOCOL', ...LOCKED],
  ['SQLITE_NOTADB', 'is not a mirror', 'Name another file with --mirror.', 'mirror_foreign'],
  ['SQLITE_CORRUPT', ...DAMAGED],
  [
    'SQLITE_FULL',
    'cannot grow: the disk is full',
    'Free some space and run the command again; nothing was lost.',
    'mirror_full',
  ],
  [
    'SQLITE_READONLY',
    'cannot be written',
    'Check the permissions of the file and its folder, or name another file with --mirror.',
  ],
  [
    'SQLITE_CANTOPEN',
    'cannot be opened',
    'Check that its folder exists and can be written, or name another file with --mirror.',
  ],
  ['SQLITE_PERM', 'cannot be opened', 'Check the permissions of the file, or name another file with --mirror.'],
  ['SQLITE_IOERR', 'cannot be read or written', 'Check the disk and its free space, then run the command again.'],
  ['SQLITE_TOOBIG', 'cannot store a text this long', 'Ask for a smaller page.'],
];

/** Turns an error of the driver into a `mirror` error; gives anything else back as it is. */
export function mirrorFailure(path: string, error: unknown): unknown {
  const code = sqliteCode(error);
  if (!(error instanceof Error) || code === '') return error;
  if (code === 'SQLITE_ERROR' && UNFIT.test(error.message)) return storageErrorOf(path, DAMAGED, error);
  const found = MEANINGS.find(([prefix]) => code.startsWith(prefix));
  if (!found) return error;
  const [, ...meaning] = found;
  return storageErrorOf(path, meaning, error);
}

/** The refusal of a file that is damaged, with what shows it. */
export function damaged(path: string, what: string, cause?: Error): MacroError {
  const [happened, ...rest] = DAMAGED;
  return storageErrorOf(path, [`${happened}: ${what}`, ...rest], cause);
}

/** Runs work on the file and translates what the driver throws. @throws MacroError of kind `mirror`. */
export function translating<T>(path: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw mirrorFailure(path, error);
  }
}
