import { integerColumn, textField } from '../../contract/mapping.ts';
import {
  type ChecksumChange,
  type ChecksumPart,
  checksumChangeOf,
  coverageFact,
  isNothing,
  type Sum,
  seriesFact,
  stampFact,
  sumOf,
  sumText,
  WHOLE_FILE,
} from '../rules/digest.ts';
import type { SystemRows } from '../rules/system-tables.ts';
import { type EngineWork, type Writer, wait } from './engine.ts';

/** The sum of a part of a series as it is to be noted. */
export interface NewSum {
  readonly series: number;
  readonly part: ChecksumPart;
  readonly sum: Sum;
}

export type SumRow = SystemRows['sums'];

/** The sums of a series after an addition. Each transaction records them together with the rows that it changes. */
export function changedSums(series: number, stored: readonly SumRow[], by: ChecksumChange): readonly NewSum[] {
  return PARTS.filter((part) => !isNothing(by[part])).map((part) => {
    const found = stored.find((row) => row.part === part);
    return { series, part, sum: checksumChangeOf(found, by[part]) };
  });
}

const PARTS = ['current', 'superseded', 'vintages', 'commits'] as const satisfies readonly (keyof ChecksumChange)[];

/** The facts of the system tables about a series. */
export function seriesSum(row: SystemRows['series']): NewSum {
  return { series: row.id, part: 'series', sum: sumOf([seriesFact(row)]) };
}

/** The sum of the covered ranges of a series. */
export function coverageSum(series: number, rows: readonly SystemRows['proofs'][]): NewSum {
  return { series, part: 'proofs', sum: sumOf(rows.map(coverageFact)) };
}

export function stampSum(row: SystemRows['mirror']): NewSum {
  return { series: WHOLE_FILE, part: 'stamp', sum: sumOf([stampFact(row)]) };
}

export function* noteSums(writer: Writer, sums: readonly NewSum[]): EngineWork<void> {
  yield* wait(
    writer.insert({
      ...{
        into: 'sums',
        shared: {},
        columns: [integerColumn('series'), textField('part'), integerColumn('rows'), textField('sum')],
      },
      rows: sums.map(({ series, part, sum }) => [series, part, sum.rows, sumText(sum)]),
      conflict: 'on conflict (series, part) do update set rows = excluded.rows, sum = excluded.sum',
    }),
  );
}
