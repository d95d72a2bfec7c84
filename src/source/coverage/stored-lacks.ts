import type { Lack } from '../../contract/hooks.ts';
import { holesIn, type Range } from '../../contract/time/coverage.ts';
import { endpointById } from '../../endpoints/index.ts';
import type { MirrorReader, StoredSeries } from '../../mirror/api/mirror.ts';
import { evidenceOf } from './evidence.ts';
import { lacksOfSeries } from './lacks.ts';

export interface StoredPart {
  /** Milliseconds. */
  readonly now: number;
  /** In the terms of the window column; undefined means the whole series. */
  readonly range?: Range | undefined;
}

/** The part of a stored series that no coverage reaches, for whoever reads the mirror at this machine. */
export async function lacksOfStored(
  reader: Pick<MirrorReader, 'proofs'>,
  series: StoredSeries,
  { now, range }: StoredPart,
): Promise<readonly Lack[]> {
  const endpoint = endpointById(series.endpoint);
  if (!endpoint) return [];
  const visible = { args: {}, window: undefined, cutoff: undefined };
  const evidence = await evidenceOf({ question: { endpoint, args: {} }, visible, now, reader }, series, 'keyless');
  return evidence ? lacksOfSeries(series, holesIn(evidence.coverage, range ?? evidence.needed)) : [];
}
