import { expect, it } from 'vitest';
import type { Fetch } from '../../src/platform/platform.ts';
import { testClock } from '../support/clock.ts';
import { inRounds, LONGEST_MS } from './rounds.ts';
import { ENGINES, inPlace, serviceDays, soundHash, syncAt } from './world.ts';

const DAY_MS = 86_400_000;

/**
 * Without the calendar: its window follows the clock, so a wrong one rightly asks for other dates. Nothing is daily: the
 * service has no newer check on its second day, so days of a daily series would be missing.
 */
const WORDS = 'commodities natural_gas_storage, announcements usd inflation, press usd, sentiment changes, curve usd';

it.each(ENGINES.filter(({ isMissing }) => !isMissing))(
  'a clock that jumps during syncs on $name leaves nothing behind once it is right',
  { timeout: LONGEST_MS },
  async (engine) => {
    const { before, after } = await serviceDays();
    const expected = await inPlace(engine, async (place) => {
      await syncAt(place, before, { words: WORDS });
      await syncAt(place, after, { words: WORDS });
      return soundHash(place);
    });
    await inRounds(`clock jumps, ${engine.name}`, 2, (round) =>
      inPlace(engine, async (place) => {
        for (const service of [before, after]) {
          const clock = testClock(service.now);
          const jumping: Fetch = (url, init) => {
            if (round.below(2) === 0) {
              const size = round.one([1000, 3_600_000, DAY_MS, 40 * DAY_MS]);
              clock.jump((round.below(2) * 2 - 1) * round.below(size));
              round.count('jumps');
            }
            return service.fetch(url, init);
          };
          await syncAt(place, service, { words: WORDS, clock, fetch: jumping });
          await soundHash(place);
          expect((await syncAt(place, service, { words: WORDS })).outcome).toBe('complete');
        }
        expect(await soundHash(place)).toBe(expected);
      }),
    );
  },
);
