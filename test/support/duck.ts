/** Undefined where the package has no binary for this machine: tests that ask DuckDB are skipped there. */
const library = await import('@duckdb/node-api').catch(() => undefined);

export const HAS_DUCK = library !== undefined;

/** What DuckDB reads: rows as JSON values, whole numbers and moments as text. */
export async function duck(query: string): Promise<readonly unknown[]> {
  if (!library) throw new Error('DuckDB has no binary for this machine');
  const instance = await library.DuckDBInstance.create(':memory:');
  const connection = await instance.connect();
  try {
    await connection.run("set timezone = 'UTC'");
    return (await connection.runAndReadAll(query)).getRowObjectsJson();
  } finally {
    connection.closeSync();
    instance.closeSync();
  }
}

/** Names and types of the columns of a Parquet file, as DuckDB sees them. */
export async function duckTypes(file: string): Promise<Readonly<Record<string, unknown>>> {
  const rows = await duck(`select column_name as name, column_type as type from (describe select * from '${file}')`);
  return Object.fromEntries(rows.map((row) => Object.values(row as Record<string, unknown>))); // two columns, in order
}
