import type { RowLineage, SourceCommit } from '../../api/past-knowledge.ts';
import type { RowVersion } from '../row-versions.ts';
import type { Dated } from './dated-value.ts';

/** The lineage of a row by the texts and values that it had. */
export function lineageOf(
  stages: readonly RowVersion[],
  dated: readonly Dated[],
  commitOf: (number: number) => SourceCommit,
): RowLineage {
  return {
    texts: stages.map((version, i) => ({
      text: version.text,
      brought: commitOf(version.seen),
      ...(version.refreshed !== undefined && { refreshed: commitOf(version.refreshed) }),
      ...(version.ended !== undefined && { ended: commitOf(version.ended) }),
      wasReplaced: version.ended !== undefined && stages[i + 1]?.seen === version.ended,
    })),
    values: dated.map(({ vintage, known, seen, entry, dispute }) => ({
      text: vintage.text,
      isListed: entry !== undefined,
      isAssumed: vintage.assumed === true,
      known,
      ...(dispute && { dispute }),
      brought: commitOf(seen),
      ...(vintage.withdrawnAt !== undefined && { withdrawnAt: vintage.withdrawnAt * 1000 }),
    })),
  };
}
