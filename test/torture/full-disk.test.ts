import type { Database } from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { MacroError } from '../../src/errors.ts';
import { IS_LONG, inRounds, LONGEST_MS } from './rounds.ts';
import { type Scenario, scenariosOn } from './scenarios.ts';
import { diskFull, strikingServer, watchingWrites } from './strikes.ts';
import { ENGINES, type Engine, inPlace, refusedOrDone, serviceDays, soundHash } from './world.ts';

interface Run {
  readonly hash: string;
  readonly writes: number;
  readonly pages: number;
}

type Act<T> = () => Promise<T>;

/** How the disk of an engine becomes full at a write, and how much of it is written without that. */
interface FullDisk {
  measure(act: Act<unknown>): Promise<{ readonly writes: number; readonly pages: number }>;
  fill<T>(how: { readonly at: number; readonly isPages: boolean; readonly lasts: boolean }, act: Act<T>): Promise<T>;
}

const FILE: FullDisk = {
  async measure(act) {
    let writes = 0;
    let pages = 0;
    await watchingWrites((database) => {
      writes += 1;
      pages = Math.max(pages, pagesOf(database));
    }, act);
    return { writes, pages };
  },
  fill({ at, isPages, lasts }, act) {
    let writes = 0;
    const bounded = new WeakSet<Database>();
    return watchingWrites((database) => {
      const number = writes;
      writes += 1;
      if (isPages && !bounded.has(database)) database.pragma(`max_page_count = ${Math.max(1, at)}`);
      bounded.add(database);
      if (!isPages && (lasts ? number >= at : number === at)) throw diskFull();
    }, act);
  },
};

const SERVER: FullDisk = {
  async measure(act) {
    return { writes: (await strikingServer(-1, 'full', act)).statements, pages: 0 };
  },
  async fill({ at, lasts }, act) {
    return (await strikingServer(at, lasts ? 'full' : 'cut', act)).result;
  },
};

const pagesOf = (database: Database) => Number(database.pragma('page_count', { simple: true }));

describe.each(ENGINES)('a disk that is full at any write, on $name', (engine) => {
  it.skipIf(engine.isMissing)(
    'is told as what it is, and nothing is half-written',
    { timeout: LONGEST_MS },
    async () => {
      const scenarios = scenariosOn(engine, await serviceDays());
      const disk = engine.name === 'SQLite' ? FILE : SERVER;
      const runs = new Map<string, Run>();
      // A scenario on a server takes three times as long, and the long check has them all.
      const sample = engine.name === 'SQLite' ? scenarios.length : 2;
      await inRounds(`disk full, ${engine.name}`, sample, async (round) => {
        const scenario = scenarios[round.number % scenarios.length];
        if (!scenario) return;
        const run = runs.get(scenario.name) ?? (await runWhole(engine, scenario, disk));
        runs.set(scenario.name, run);
        const isPages = run.pages > 0 && round.below(4) === 0;
        const bound = isPages ? run.pages : run.writes;
        const turn = Math.floor(round.number / scenarios.length);
        const at = IS_LONG && !isPages ? (turn * 7 + round.below(7)) % bound : round.below(bound);
        const lasts = round.below(3) > 0;
        const what = `${scenario.name}, ${isPages ? 'page' : 'write'} ${at} of ${bound}${lasts ? '' : ', once'}`;
        await inPlace(engine, async (place) => {
          await scenario.prepare(place);
          const end = await refusedOrDone(() => disk.fill({ at, isPages, lasts }, () => scenario.act(place)));
          if (end instanceof MacroError) expect(end, what).toMatchObject({ kind: 'mirror' });
          await soundHash(place);
          await scenario.finish(place);
          expect(await soundHash(place), what).toBe(run.hash);
        });
        round.count(isPages ? 'pages that did not fit' : 'writes that failed');
      });
    },
  );
});

async function runWhole(engine: Engine, scenario: Scenario, disk: FullDisk): Promise<Run> {
  return inPlace(engine, async (place) => {
    await scenario.prepare(place);
    const measured = await disk.measure(() => scenario.act(place));
    await scenario.finish(place);
    return { hash: await soundHash(place), ...measured };
  });
}
