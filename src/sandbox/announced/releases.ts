import { MAIN_CURRENCIES } from '../../contract/words/words.ts';
import type { Mirror } from '../../mirror/api/mirror.ts';
import { eventPage } from '../../mirror/core/event-page.ts';
import { GENERATED_ACCESS } from '../../mirror/ledger/certain.ts';
import { eventsBetween } from '../calendar/calendar.ts';
import type { Series } from '../calendar/schedule.ts';
import { commitOfSeries, SANDBOX_ORIGIN } from '../rows.ts';
import { createWorld, type World } from '../world.ts';
import { generateAnnouncements } from './announcements.ts';
import { eventId, eventRow, MAX_PROCESSING_SECONDS, processedAt, releasedIn } from './events.ts';
import { indicatorsOf } from './indicators.ts';

/** A release that is still to come. Times are Unix seconds. */
interface Due {
  readonly series: Series;
  readonly release: number;
  readonly id: string;
  /** When it is announced. */
  readonly at: number;
}

export interface Releases {
  /** Publishes what is due by a moment, in order; gives the moment of the next one. Both in milliseconds. */
  upTo(now: number): Promise<number>;
}

const DAY = 86_400;

/**
 * Publishes the schedule of a filled sandbox as the clock reaches it. A data set ends at midnight, and what a later one adds
 * never changes what it had, so a release is the history of its series as of its moment, and the event that tells of it.
 */
export function createReleases(mirror: Mirror, world: World): Releases {
  const schedule = dueFrom(world, world.horizon);
  let next = schedule.next().value;
  return {
    async upTo(now) {
      while (next.at * 1000 <= now) {
        await publish(mirror, world, next);
        next = schedule.next().value;
      }
      return next.at * 1000;
    },
  };
}

/** All releases after a moment, in the order of changes. */
function* dueFrom(world: World, from: number): Generator<Due, never> {
  for (let start = from; ; start += DAY) yield* dueBetween(world, start, start + DAY);
}

function dueBetween(world: World, from: number, until: number): readonly Due[] {
  const all = MAIN_CURRENCIES.flatMap((currency) =>
    indicatorsOf(currency, world.size).flatMap((indicator) => {
      const series = { currency, indicator };
      const released = eventsBetween(world, series, { from: from - MAX_PROCESSING_SECONDS, until });
      return released.map(({ release }) => {
        const name = { currency, indicator: indicator.slug, release };
        return { series, release, id: eventId(name), at: processedAt(world, name) };
      });
    }),
  );
  return all
    .filter(({ release, at }) => release >= world.horizon && at >= from && at < until)
    .sort((a, b) => a.at - b.at || (a.id < b.id ? -1 : 1));
}

/** The rows come first: who hears of a release finds it. */
async function publish(mirror: Mirror, { seed, size }: World, { series, release, at }: Due): Promise<void> {
  const then = { ...createWorld({ seed, size, now: at * 1000 }), horizon: release + 1 };
  const stored = generateAnnouncements(then, series);
  const observation = stored.observations.findLast((one) => one.release === release);
  if (!observation) return;
  await mirror.commitPage(commitOfSeries(then, stored.generated));
  const rows = [eventRow(releasedIn(then, stored, observation))];
  const event = { origin: SANDBOX_ORIGIN, nature: 'synthetic', access: GENERATED_ACCESS, via: 'local' } as const;
  // Nothing else is announced here, so that an event that is known comes again after the clock was set back.
  await mirror.commitPage({ ...eventPage({ ...event, rows, at: then.now }), paginationRun: null });
}
