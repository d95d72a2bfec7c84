import { describe, expect, it } from 'vitest';
import { isJsonObject, type JsonObject } from '../../src/contract/json/json.ts';
import { addDays } from '../../src/contract/time/time.ts';
import type { Mirror } from '../../src/mirror/api/mirror.ts';
import type { StoredSeries } from '../../src/mirror/api/series.ts';
import fc, { draws } from '../support/properties.ts';
import { rowOf, syncWorld } from './world.ts';

interface Kind {
  readonly endpoint: string;
  /** Most rows of a page, so that there are several pages. */
  readonly rows: number;
  /** A row that was not there before, from one that was. */
  readonly another: (row: JsonObject, nth: number) => JsonObject;
  /** A row with another value; left out where rows never change. */
  readonly revised?: (row: JsonObject) => JsonObject;
  /** The first key that a mirror which begins now is told of. */
  readonly since?: number;
  /** A revision is told by the version of the data, wherever it is. */
  readonly versioned?: true;
}

const weekend = (nth: number) => addDays('2026-11-14', -7 * nth);
const withValue = (row: JsonObject): JsonObject => ({ ...row, val: Number(row.val) + 0.001 });

const KINDS: Readonly<Record<string, Kind>> = {
  'fx eur usd': {
    endpoint: 'forex',
    rows: 40,
    another: (row, nth) => ({ ...row, date: weekend(nth) }),
    revised: withValue,
    versioned: true,
  },
  'commodities gold': { endpoint: 'commodities', rows: 40, another: (row, nth) => ({ ...row, date: weekend(nth) }) },
  'press usd': {
    endpoint: 'press_releases',
    rows: 5,
    another: (row, nth) => ({ ...row, url: `${String(row.url)}/again-${nth}` }),
  },
  'sentiment changes': {
    endpoint: 'risk_sentiment_changes',
    rows: 20,
    another: (row, nth) => ({ ...row, change_sequence: 1_000_000 + nth }),
  },
  'announcements changes': {
    endpoint: 'announcements_changes',
    rows: 4,
    // A day back from now.
    since: Date.parse('2026-11-19T15:00:00Z') / 1000,
    another: (row, nth) => ({ ...row, event_id: `usd_gdp_${nth}`, timestamp: 1_795_186_000 + nth }),
  },
};

interface Change {
  /** How many requests are answered before. */
  readonly after: number;
  readonly what: 'insert' | 'revise';
  readonly pick: number;
}

const scopes: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  forex: { base: 'EUR', quote: 'USD' },
  commodities: { indicator: 'gold' },
  press_releases: { currency: 'USD' },
};

async function seriesOf(mirror: Mirror, { endpoint }: Kind): Promise<StoredSeries> {
  const [series] = await mirror.find({ endpoint, scope: scopes[endpoint] ?? {} });
  if (!series) throw new Error(`${endpoint} is not held`);
  return series;
}

async function apply(upstream: Mirror, kind: Kind, { what, pick }: Change): Promise<void> {
  const series = await seriesOf(upstream, kind);
  const held = await upstream.rows(series, {});
  const row: unknown = JSON.parse(held[pick % held.length]?.text ?? '');
  if (!isJsonObject(row)) throw new Error('A row is an object');
  const changed = what === 'revise' && kind.revised ? kind.revised(row) : kind.another(row, pick);
  await upstream.commitPage({
    series,
    nature: 'synthetic',
    access: 'keyless',
    request: 'published',
    question: 'published',
    rows: [rowOf(changed)],
    extent: 'adds',
    at: Date.parse('2026-11-20T15:00:00Z'),
  });
}

async function contentOf(mirror: Mirror, kind: Kind) {
  const rows = await mirror.rows(await seriesOf(mirror, kind), {});
  const told = rows.filter(({ key }) => kind.since === undefined || Number(key[0]) >= kind.since);
  return told.map(({ key, columns }) => [...key, kind.versioned ? (columns.val ?? null) : null]);
}

const changes = fc.array(
  fc.record({
    after: fc.integer({ min: 1, max: 12 }),
    what: fc.constantFrom('insert', 'revise'),
    pick: fc.integer({ min: 0, max: 60 }),
  }),
  { minLength: 1, maxLength: 3 },
);

describe.each(Object.entries(KINDS))('%s, changed by the publisher between two pages', (words, kind) => {
  it(
    'ends with every row once, or says that it is not complete and the next run completes it',
    { timeout: 120_000 },
    () =>
      fc.assert(
        fc.asyncProperty(changes, async (plan) => {
          let answered = 0;
          const onRequest = async (upstream: Mirror) => {
            for (const change of plan) if (change.after === answered) await apply(upstream, kind, change);
            answered += 1;
            return kind.rows;
          };
          const world = await syncWorld({ key: 'k-test', onRequest });
          const outcomes: string[] = [];
          for (let run = 1; run <= 3 && outcomes.at(-1) !== 'complete'; run += 1)
            outcomes.push((await world.sync(words, { maxAge: 0 })).outcome);
          expect(outcomes.at(-1)).toBe('complete');
          expect(outcomes.slice(0, -1).every((outcome) => outcome === 'incomplete')).toBe(true);
          expect(await contentOf(world.mirror, kind)).toEqual(await contentOf(world.upstream, kind));
        }),
        { numRuns: draws(4) },
      ),
  );
});
