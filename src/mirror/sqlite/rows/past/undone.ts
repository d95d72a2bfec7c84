import { type UndoneDates, undoneIn, undoneSelect } from '../../../core/as-of/undone.ts';
import type { Statements } from '../../statements.ts';

/** Gives what was taken back of the imports of a series. */
export function undoneReader(statements: Statements): (series: number) => readonly UndoneDates[] {
  return (series) => {
    const { sql, values } = undoneSelect(series);
    return undoneIn(statements.raw<[number, string]>(sql).all(...values));
  };
}
