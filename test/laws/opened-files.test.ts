/** Files that others may have put there are opened in one place, which refuses devices and pipes and bounds what it reads. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const SOURCES = join(import.meta.dirname, '../../src');
const OPENING = /\b(?:openSync|readFileSync|readFile|createReadStream|new Database)\(/g;

/** Where a file is opened otherwise, how often, and why that is no file of others. */
const EXCEPTIONS = {
  // The place itself: the file of others, twice; a file that is written, a device that is written into, the log, a folder.
  'platform/node-files.ts': 7,
  // A mirror, once it is known to be a plain file; a copy of it in memory; a file that a backup writes.
  'mirror/sqlite/database-file.ts': 1,
  'mirror/sqlite/connect.ts': 2,
  'mirror/sqlite/backup.ts': 1,
  'mirror/sqlite/version.ts': 1,
  // The quota's ledger in the user's own folder.
  'client/quota/sqlite-ledger.ts': 1,
  // A password file and certificates, as the user's own settings of PostgreSQL name them.
  'mirror/postgres/address.ts': 2,
} as const;

it('files are opened in one place', () => {
  const names = readdirSync(SOURCES, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'));
  const found = names.flatMap((name) => {
    const count = readFileSync(join(SOURCES, name), 'utf8').match(OPENING)?.length ?? 0;
    return count > 0 ? [[name.replaceAll('\\', '/'), count] as const] : [];
  });
  expect(Object.fromEntries(found)).toEqual(EXCEPTIONS);
});
