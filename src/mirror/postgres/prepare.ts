import type { Mapping } from '../../contract/mapping.ts';
import { partTables } from '../rules/select.ts';
import { tableOf } from '../rules/tables.ts';
import { viewsOf } from '../rules/views.ts';
import { readServerAddress } from './address.ts';
import { makeReady, type ServerOpenOptions } from './open.ts';
import { openPool } from './pool.ts';
import { SERVER_VIEWS } from './schema.ts';
import { matchServerSchema } from './schema-match.ts';

/** Rights on a table that every command needs; whoever has them can make, alter and drop nothing. */
const RIGHTS = 'select, insert, update, delete';

/** Makes all tables and views of a mirror, with rights for a role. @throws MacroError of kind `mirror`. */
export async function prepareServerMirror(
  { mappings, platform, ...options }: Pick<ServerOpenOptions, 'address' | 'mappings' | 'platform'>,
  role: string | undefined,
) {
  const address = readServerAddress(options.address, platform.env);
  const { schema, name } = address;
  const tables = Object.entries<Mapping>(mappings).map(([endpoint, mapping]) => tableOf(endpoint, mapping));
  const pool = openPool(address);
  try {
    await makeReady(pool, address, { platform });
    await matchServerSchema(pool, tables, name);
    if (role !== undefined) await pool.writing((connection) => connection.run(grantsTo(role, schema)));
    return {
      schema,
      tables: tables.flatMap(partTables).length,
      views: tables.flatMap((table) => viewsOf(table, SERVER_VIEWS)).length,
    };
  } finally {
    await pool.close();
  }
}

function grantsTo(role: string, schema: string): string {
  const quoted = `"${role.replaceAll('"', '""')}"`;
  return `grant usage on schema "${schema}" to ${quoted}; grant ${RIGHTS} on all tables in schema "${schema}" to ${quoted}`;
}
