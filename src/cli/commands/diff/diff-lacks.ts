import type { Lack } from '../../../contract/hooks.ts';
import type { AsOf } from '../../../contract/time/as-of.ts';
import type { Range } from '../../../contract/time/coverage.ts';
import { endpointById, MAPPINGS } from '../../../endpoints/index.ts';
import type { MirrorReader, StoredSeries } from '../../../mirror/api/mirror.ts';
import { knownSpansOf } from '../../../source/coverage/known-spans.ts';
import { shortfallOf } from '../../../source/coverage/mark.ts';
import type { Shortfall } from '../../../source/coverage/shortfall.ts';
import { lacksOfStored } from '../../../source/coverage/stored-lacks.ts';
import { lacksOfUnseenAt } from '../../../source/coverage/unseen.ts';

interface Moments {
  readonly from: AsOf;
  readonly to: AsOf;
  /** Milliseconds. */
  readonly now: number;
}

/**
 * What a comparison of two moments cannot have seen: rows that the mirror does not hold, and what became known after it last
 * looked. What the mirror itself held at two moments is compared whole.
 */
export async function shortfallOfDiff(
  reader: MirrorReader,
  series: readonly StoredSeries[],
  { from, to, now }: Moments,
): Promise<Shortfall | undefined> {
  if (from.by === 'mirrored') return undefined;
  // The holes of a feed stand in the journal, and nobody keeps its events for long.
  const lasting = series.filter(({ endpoint }) => MAPPINGS[endpoint]?.sync?.kind !== 'cursor');
  const origins = Map.groupBy(lasting, ({ endpoint, scope }) => JSON.stringify([endpoint, scope]));
  const lacks: Lack[] = [];
  for (const same of origins.values()) {
    const covered = await Promise.all(
      same.map((one) => lacksOfStored(reader, one, { now, range: eventsBetween(one, { from, to }) })),
    );
    const seen = await Promise.all(same.map((one) => lacksOfUnseenAt(one, { moments: [from.at, to.at], now, reader })));
    // What one origin covers is covered, and what one knew at both moments is compared.
    lacks.push(...fewest(covered), ...fewest(seen));
  }
  const [first] = lacks;
  const endpoint = first && endpointById(first.series.endpoint);
  return endpoint && shortfallOf({ endpoint, args: {} }, lacks, { checkedAt: now, now });
}

function fewest(ofOrigins: readonly (readonly Lack[])[]): readonly Lack[] {
  return ofOrigins.toSorted((a, b) => a.length - b.length)[0] ?? [];
}

/** Events and schedules are compared where they lie between the moments; any date of a history may be revised then. */
function eventsBetween({ endpoint }: StoredSeries, { from, to }: Pick<Moments, 'from' | 'to'>): Range | undefined {
  const kind = MAPPINGS[endpoint]?.sync?.kind;
  if (kind !== 'window' && kind !== 'spans') return undefined;
  return { from: Math.floor(from.at / 1000), to: Math.floor(to.at / 1000) };
}

/** Until when (milliseconds) anything is known of some series, where that was before both moments: nothing was seen between them. */
export async function lookBefore(
  reader: MirrorReader,
  series: readonly StoredSeries[],
  { from }: Pick<Moments, 'from'>,
): Promise<number | undefined> {
  if (from.by === 'mirrored') return undefined;
  const spans = (await Promise.all(series.map((one) => knownSpansOf(one, reader)))).flat();
  const last = Math.max(...spans.map(({ to }) => to));
  return last > 0 && last <= from.at ? last : undefined;
}
