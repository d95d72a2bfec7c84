import { type UndoneDates, undoneIn, undoneSelect } from '../../core/as-of/undone.ts';
import type { ServerConnection } from '../connection.ts';

/** Gives what was taken back of the imports of a series. */
export async function readUndone(connection: ServerConnection, series: number): Promise<readonly UndoneDates[]> {
  return undoneIn(await connection.tuples<[number, string]>(undoneSelect(series)));
}
