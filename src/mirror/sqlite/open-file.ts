import { MacroError } from '../../errors.ts';
import { fileIdentity, openedFile, type SqliteConnection } from './database-file.ts';
import { translating } from './failures.ts';

/** An open mirror file, for work that must end up in the file of that name. */
export interface OpenFile {
  readonly path: string;
  /** Runs work on the file. Translates what the driver throws, and throws `mirror_moved` when the name means no longer this file. */
  run<T>(work: () => T): T;
  /** Throws `mirror_moved` when the name means no longer this file. */
  requireSame(): void;
}

/**
 * Remembers which file a connection has open. The driver goes on writing into a file that was removed or replaced, and that
 * file is gone with the connection. So the name is looked up before each piece of work, because a log that is written
 * beside another file may be read as its log; and after it, before anybody calls the work done.
 * @throws MacroError of kind `mirror`.
 */
export function openFileOf(db: SqliteConnection, path: string): OpenFile {
  const opened = openedFile(db);
  const requireSame = () => {
    if (opened !== undefined && (opened === 'none' || fileIdentity(path) !== opened)) throw moved(path);
  };
  return {
    path,
    requireSame,
    run: (work) => {
      requireSame();
      const done = translating(path, work);
      requireSame();
      return done;
    },
  };
}

function moved(path: string): MacroError {
  return new MacroError('mirror', `The mirror ${path} was removed or replaced while this program used it.`, {
    code: 'mirror_moved',
    hint: 'What came since is not in a file of this name. Put the file back if you can, then run the command again.',
  });
}
