import type { Lack } from '../../contract/hooks.ts';
import { isPresent } from '../../contract/time/moments.ts';
import { lacksOfUnseenTimes } from '../../derive/lacks.ts';
import type { StoredSeries } from '../../mirror/api/series.ts';
import type { MirrorQuestion } from '../answer/answer.ts';
import type { PeriodReader } from './file-periods.ts';
import { knownSpansOf } from './known-spans.ts';
import { lacksOfEvents } from './newer-events.ts';

type Asked = Pick<MirrorQuestion, 'question' | 'visible' | 'present' | 'presentAt' | 'asOf'>;

/**
 * What became known of the picked series at a time that the mirror knows nothing of, and up to the moment of the question:
 * since its last look at them, or between two states that files show. What is asked as of the real present lacks only what
 * events announced since: else that answer is as old as the mirror is. What the mirror itself held at a moment is known exactly.
 */
export async function lacksOfUnseen(ask: Asked, picked: readonly StoredSeries[]): Promise<readonly Lack[]> {
  const moment = momentOfKnowledge(ask);
  if (moment === undefined || isPresent(moment, ask.presentAt)) return lacksOfEvents(ask, picked);
  // A keyless caller is shown nothing later than this, looked at or not.
  const until = Math.min(moment, (ask.visible.cutoff ?? Number.POSITIVE_INFINITY) * 1000);
  const { compose } = ask.question.endpoint;
  const sets = compose?.vouches?.(ask.visible.args, picked)?.anyOf ?? [picked];
  const found = await Promise.all(
    sets.map(async (refs) => {
      const set = picked.filter((series) => refs.includes(series));
      const origins = Map.groupBy(set, ({ endpoint, scope }) => JSON.stringify([endpoint, scope]));
      return (await Promise.all([...origins.values()].map((same) => unseenAt(same, [until], ask.present)))).flat();
    }),
  );
  return found.find((lacks) => lacks.length === 0) ?? found[0] ?? [];
}

/** What one of several origins knows is known. */
async function unseenAt(
  same: readonly StoredSeries[],
  moments: readonly number[],
  reader: PeriodReader,
): Promise<readonly Lack[]> {
  const [first] = same;
  if (!first) return [];
  return lacksOfUnseenTimes(
    first,
    (await Promise.all(same.map((series) => knownSpansOf(series, reader)))).flat(),
    moments,
  );
}

/** The same of one stored series at some moments (milliseconds), for whoever reads the mirror at this machine. */
export async function lacksOfUnseenAt(
  series: StoredSeries,
  {
    moments,
    now,
    reader,
  }: { readonly moments: readonly number[]; readonly now: number; readonly reader: PeriodReader },
): Promise<readonly Lack[]> {
  return unseenAt(
    [series],
    moments.filter((moment) => !isPresent(moment, now)),
    reader,
  );
}

/** The moment (milliseconds) whose knowledge counts, be it that of the reading or one by which the endpoint chooses rows. */
function momentOfKnowledge({ question: { endpoint, args }, asOf }: Asked): number | undefined {
  if (asOf) return asOf.by === 'mirrored' ? undefined : asOf.at;
  // A list that is kept for each moment apart is that of its moment, whenever it was asked for.
  const isKeptApart = endpoint.mirror?.scope?.includes('as_of') === true;
  return typeof args.as_of === 'number' && !isKeptApart ? args.as_of * 1000 : undefined;
}
