import { MacroError } from '../../errors.ts';
import type { ServerConnection } from './connection.ts';
import type { Pool } from './pool.ts';
import { MIGRATIONS } from './schema.ts';

const VERSION = 'select version from mirror';

/**
 * A pool whose reads refuse a mirror that another version of the program has changed since it was opened: its rows may have
 * another form by now. The version is read with the statements that begin a transaction, and is that of all its reads.
 * @throws MacroError of kind `mirror`.
 */
export function ofOwnVersion(pool: Pool, name: string): Pool {
  const checked =
    (read: Pool['reading']): Pool['reading'] =>
    (work) =>
      read(
        (connection, [found]) => {
          requireServerVersion(found, name);
          return work(connection, []);
        },
        { first: VERSION },
      );
  return { ...pool, reading: checked(pool.reading), snapshot: checked(pool.snapshot) };
}

/** The same inside of a transaction that keeps other versions waiting. */
export async function requireServerVersionNow(connection: ServerConnection, name: string): Promise<void> {
  const [found] = await connection.run(VERSION);
  requireServerVersion(found, name);
}

/** `found`: a row of the mirror's own table that holds its version. */
export function requireServerVersion(found: unknown, name: string): void {
  const { version } = found as { readonly version: number }; // as the caller selects
  if (version === MIGRATIONS.length) return;
  throw new MacroError(
    'mirror',
    `The mirror ${name} was upgraded by a newer version of this program while this one used it (it is at ${version}, this program at ${MIGRATIONS.length}).`,
    { code: 'mirror_newer', hint: 'End this program and start the newer version.' },
  );
}
