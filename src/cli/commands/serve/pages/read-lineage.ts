// Where a row of an answer came from, for the explorer.
import type { Mirror } from '../../../../mirror/api/mirror.ts';
import type { Question } from '../../../../source/source.ts';
import { seriesOfAnswer } from '../../why/series-of-question.ts';
import { linesOf } from '../../why/why-lines.ts';
import { keysOfRow } from '../../why/why-rows.ts';

/** Each value that the row had in each series that the answer is made of, as the JSON lines of `macro why`. */
export function readLineage(mirror: Mirror, question: Question, row: string): Promise<readonly string[]> {
  return mirror.snapshot(async (reader) => {
    const lines: string[] = [];
    for (const series of await seriesOfAnswer(reader, question))
      for (const key of await keysOfRow(reader, series, row))
        lines.push(...(await linesOf(reader, series, key)).map(({ text }) => text));
    return lines;
  });
}
