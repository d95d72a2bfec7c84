import { dateToMs } from '../contract/time/time.ts';
import { MAIN_CURRENCIES } from '../contract/words/words.ts';
import type { Mirror } from '../mirror/api/mirror.ts';
import { GENERATED_ACCESS } from '../mirror/rules/coverage.ts';
import { eventPage } from '../mirror/rules/event-page.ts';
import { generateAnnouncements } from './announced/announcements.ts';
import { generateCatalogue } from './announced/catalogue.ts';
import { eventId, eventRow, MAX_PROCESSING_SECONDS, processedAt, releasedIn } from './announced/events.ts';
import { indicatorsOf } from './announced/indicator-table.ts';
import { eventsBetween } from './calendar.ts';
import { fillSandbox } from './fill.ts';
import { commitOfSeries, SANDBOX_ORIGIN } from './rows.ts';
import type { Series } from './schedule.ts';
import { createWorld, type World } from './world.ts';

const DAY = 86_400_000;

/** The work of a served sandbox as its clock moves on. */
export interface SandboxDays {
  /** Does all due work up to a moment; returns the moment of the next work. Both in milliseconds. */
  upTo(now: number): Promise<number>;
}

/** A release that is still to come. Times are Unix seconds. */
interface Due {
  readonly series: Series;
  readonly release: number;
  readonly id: string;
  /** When it is announced. */
  readonly at: number;
}

interface Releases {
  /** Publishes the releases due by a moment, in order; returns the moment of the next one. Both in milliseconds. */
  upTo(now: number): Promise<number>;
}

const DAY_SECONDS = 86_400;

/** Fills each new day when it begins, a series at a time, with a turn for others; releases come when due. */
export function sandboxDays(mirror: Mirror, world: World, turnEnd: () => Promise<void>): SandboxDays {
  const releases: Releases = createReleases(mirror, world);
  const { seed, size } = world;
  let midnight = dateToMs(world.today) + DAY;
  return {
    async upTo(now) {
      const next = await releases.upTo(now);
      if (now < midnight) return Math.min(next, midnight);
      const today = createWorld({ seed, size, now });
      await fillSandbox({ mirror, seed, size, now, besides: RELEASED, onSeries: turnEnd });
      await checkReleased(mirror, today, turnEnd);
      midnight = dateToMs(today.today) + DAY;
      return Math.min(next, midnight);
    },
  };
}

const RELEASED: ReadonlySet<string> = new Set(['announcements', 'announcements_changes']);

/** Notes that each history has all that was released by the moment of a world: without it, days since would be missing. */
export async function checkReleased(mirror: Mirror, world: World, turnEnd?: () => Promise<void>): Promise<void> {
  for (const series of await mirror.find({ endpoint: 'announcements', scope: {} })) {
    await turnEnd?.();
    const commit = commitOfSeries(world, { endpoint: series.endpoint, scope: series.scope, rows: [] });
    const rows = await mirror.count(series, {});
    await mirror.commitPage({
      ...commit,
      extent: 'adds',
      ...(commit.covered && { covered: { ...commit.covered, rows } }),
    });
  }
}

/** Publishes the schedule as the clock reaches it: a release is the history at its moment and its event. */
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
  for (let start = from; ; start += DAY_SECONDS) yield* dueBetween(world, start, start + DAY_SECONDS);
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

/** The rows and the entry of the catalogue come first: who hears of a release finds them. */
async function publish(mirror: Mirror, { seed, size }: World, { series, release, at }: Due): Promise<void> {
  const then = { ...createWorld({ seed, size, now: at * 1000 }), horizon: release + 1 };
  const stored = generateAnnouncements(then, series);
  const observation = stored.observations.findLast((one) => one.release === release);
  if (!observation) return;
  await mirror.commitPage(commitOfSeries(then, stored.generated));
  const { covered: _, ...entry } = commitOfSeries(then, generateCatalogue(then, series.currency, [stored]));
  await mirror.commitPage({ ...entry, extent: 'adds' });
  const rows = [eventRow(releasedIn(then, stored, observation))];
  const event = { origin: SANDBOX_ORIGIN, nature: 'synthetic', access: GENERATED_ACCESS, via: 'local' } as const;
  // Nothing else is announced here, so that an event that is known comes again after the clock was set back.
  await mirror.commitPage({ ...eventPage({ ...event, rows, at: then.now }), walk: null });
}
