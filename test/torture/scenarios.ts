import { expect } from 'vitest';
import { compactMirror } from '../../src/mirror/sqlite/compact.ts';
import type { Fetch } from '../../src/platform/platform.ts';
import type { SyncReport } from '../../src/sync/report.ts';
import { IS_LONG } from './rounds.ts';
import { type Engine, type ServiceState, syncAt, syncUntil, WORDS } from './world.ts';

/** Something that a program does to a mirror, and that must be able to end anywhere. */
export interface Scenario {
  readonly name: string;
  /** The mirror as it is found. */
  prepare(place: string): Promise<void>;
  /** What is done to it; a report where it was a sync. */
  act(place: string): Promise<SyncReport | undefined>;
  /** What brings it to its end, however far it came. */
  finish(place: string): Promise<void>;
}

interface Days {
  readonly before: ServiceState;
  readonly after: ServiceState;
}

const FEW = 'announcements usd inflation, calendar usd, press usd';

/** Selections of an engine, and those of which several pages follow the first ones. */
const CHOSEN = {
  SQLite: {
    words: IS_LONG ? WORDS : FEW,
    histories: 'fx eur usd, commodities gold, fx gbp usd',
    backfill: 3,
    resume: 7,
  },
  // A statement takes longer there, and every one of them begins a run.
  PostgreSQL: {
    ...{ words: FEW, histories: 'commodities gold, press usd' },
    ...{ backfill: 3, resume: 5 },
  },
} as const;

/** All of them. A server gives unused room back by itself, so nothing compacts it. */
export function scenariosOn(engine: Engine, { before, after }: Days): readonly Scenario[] {
  const { words: selected, histories: long, ...deaths } = CHOSEN[engine.name];
  const whole = async (place: string, service: ServiceState, words: string = selected) => {
    expect((await syncAt(place, service, { words })).outcome).toBe('complete');
  };
  const diedAfter = async (place: string, answers: number) => {
    expect((await syncUntil(place, before, answers, { words: long })).outcome).not.toBe('complete');
  };
  const none = async () => {};
  const first: Scenario = {
    name: 'first sync',
    prepare: none,
    act: (place) => syncAt(place, before, { words: selected }),
    finish: (place) => whole(place, before),
  };
  const next = {
    prepare: (place: string) => whole(place, before),
    finish: (place: string) => whole(place, after),
  };
  const histories = {
    act: (place: string) => syncAt(place, before, { words: long }),
    finish: (place: string) => whole(place, before, long),
  };
  return [
    first,
    { name: 'incremental', ...next, act: (place) => syncAt(place, after, { words: selected }) },
    { name: 'revision', ...next, act: (place) => syncAt(place, after, { words: 'announcements usd inflation' }) },
    { name: 'backfill', ...histories, prepare: (place) => diedAfter(place, deaths.backfill) },
    { name: 'resume', ...histories, prepare: (place) => diedAfter(place, deaths.resume) },
    {
      name: 'quota stop',
      prepare: none,
      act: (place) => syncAt(place, before, { words: selected, fetch: spentAfter(before, 3) }),
      finish: (place) => whole(place, before),
    },
    ...(engine.name === 'SQLite' ? [compaction(next.prepare)] : []),
  ];
}

function compaction(prepare: Scenario['prepare']): Scenario {
  const compact = async (place: string) => void compactMirror(place);
  return { name: 'compaction', prepare, act: async (place) => compact(place), finish: compact };
}

/** A service whose budget ends after some answers. */
function spentAfter({ fetch }: ServiceState, answers: number): Fetch {
  let left = answers;
  return async (url, init) => {
    left -= 1;
    if (left >= 0) return fetch(url, init);
    const body = { detail: 'Monthly quota exceeded.', code: 'quota_exceeded', error: 'quota_exceeded' };
    return Response.json(body, { status: 429, headers: { 'retry-after': '86400' } });
  };
}
