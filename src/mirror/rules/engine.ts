import { MacroError } from '../../errors.ts';

/** Is a mirror named by the address of a PostgreSQL server, not by the path of a file? */
export function isServerAddress(mirror: string): boolean {
  return /^postgres(ql)?:/i.test(mirror);
}

/** A mirror's name that may be shown: no password, no foreign address. @throws MacroError of kind `usage`. */
export function checkMirrorName(mirror: string): string {
  if (!isServerAddress(mirror)) {
    const [scheme] = /^[a-z][a-z0-9+.-]*:\/\//i.exec(mirror) ?? [];
    if (scheme === undefined) return mirror;
    throw new MacroError('usage', `A mirror cannot be at ${scheme}.`, {
      code: 'unknown_engine',
      hint: 'It is the path of a file, or postgres://user@host/database.',
    });
  }
  const [, authority = ''] = /^[a-z]+:\/\/([^/?#]*)/i.exec(mirror) ?? [];
  const person = authority.slice(0, Math.max(0, authority.lastIndexOf('@')));
  if (!person.includes(':') && !/[?&]password=/i.test(mirror)) return mirror;
  throw new MacroError(
    'usage',
    'The address of a mirror may not contain a password, because addresses are shown and stored.',
    {
      code: 'password_in_address',
      hint: 'Leave it out, and give it as PGPASSWORD or in the file of PGPASSFILE (~/.pgpass).',
    },
  );
}
