import { MacroError } from '../errors.ts';

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file or folder',
  EACCES: 'permission denied',
  EPERM: 'not permitted',
  EISDIR: 'it is a folder',
  ENOTDIR: 'a part of the path is not a folder',
  EEXIST: 'it exists already',
  EROFS: 'the file system is read-only',
  ENOSPC: 'no space is left on the disk',
  EDQUOT: 'the disk quota is used up',
  EMFILE: 'too many files are open',
  ENAMETOOLONG: 'the name is too long',
};

const HINTS: Readonly<Record<string, string>> = {
  EISDIR: 'Name a file in this folder.',
  ENOENT: 'Check the path.',
  EROFS: 'Mount the disk for writing, or choose another place.',
};

const ROOM = 'Make room on the disk, then run it again.';
/** The disk's own troubles, as opposed to a path that cannot be right. */
const DISK: ReadonlySet<string> = new Set(['ENOSPC', 'EDQUOT', 'EIO', 'EROFS']);

/** A failed file operation in words; `code` keeps the system's own word (`ENOENT`). */
export function fileError(verb: string, path: string, error: unknown): MacroError {
  const code = systemCode(error);
  const reason = REASONS[code] ?? (error instanceof Error ? error.message : String(error));
  const isDisk = DISK.has(code);
  return new MacroError(isDisk ? 'mirror' : 'usage', `Cannot ${verb} ${path}: ${reason}.`, {
    hint: HINTS[code] ?? (isDisk ? ROOM : 'Check the path and its permissions.'),
    cause: error,
    ...(code && { code }),
  });
}

/** SQLite's word for an error of its driver (`SQLITE_BUSY_SNAPSHOT`), whichever copy of the driver is loaded; else empty. */
export function sqliteCode(error: unknown): string {
  const code = systemCode(error);
  return code.startsWith('SQLITE_') ? code : '';
}

/** The system's word for an error (`EPIPE`); empty when it has none. */
export function systemCode(error: unknown): string {
  if (!(error instanceof Error) || !('code' in error)) return '';
  return typeof error.code === 'string' ? error.code : '';
}
