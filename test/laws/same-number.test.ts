import { describe, expect, it } from 'vitest';
import { cutBody } from '../../src/contract/json/body.ts';
import type { JsonObject } from '../../src/contract/json/json.ts';
import { readParams } from '../../src/contract/params/read-params.ts';
import { addDays } from '../../src/contract/time/time.ts';
import { OFFICIAL_PUBLISHERS } from '../../src/contract/words/publishers.ts';
import { endpointById } from '../../src/endpoints/index.ts';
import { MacroError } from '../../src/errors.ts';
import { IMPORT_FORMATS } from '../../src/imports/formats.ts';
import type { Mirror } from '../../src/mirror/api/mirror.ts';
import { createMirrorSource } from '../../src/source/mirror.ts';
import type { Source } from '../../src/source/source.ts';
import { testPlatform } from '../support/platform.ts';
import fc, { draws } from '../support/properties.ts';
import { freshMirror, LABELS, sandboxMirror } from '../support/service.ts';
import { EACH, exampleOf } from './wire.ts';

const NOW = Date.parse('2026-11-22T09:00:00Z');
const FIRST = '2026-01-01';
const DAYS = 60;

/** Origins that have a yield of each of some days; each says so by its value. */
interface Origin {
  readonly origin: string;
  readonly from: number;
  readonly days: number;
}

const ORIGINS = ['test-service', 'import:FRED', 'import:Treasury', 'import:H.15', 'import:desk'] as const;

async function fill(mirror: Mirror, origins: readonly Origin[]): Promise<void> {
  for (const { origin, from, days } of origins) {
    const dates = Array.from({ length: days }, (_, i) => addDays(FIRST, from + i)).toReversed();
    const isFile = origin.startsWith('import:');
    const values = dates.map((date) => ({ date, val: ORIGINS.indexOf(origin as (typeof ORIGINS)[number]) + 1 }));
    await mirror.commitPage({
      series: { origin, endpoint: 'announcements', scope: { currency: 'USD', indicator: 'gov_bond_10y' } },
      nature: 'real',
      access: 'keyless',
      request: isFile ? `import ${origin}` : 'GET /v1',
      question: origin,
      envelope: {
        text: JSON.stringify({ currency: 'USD', indicator: 'gov_bond_10y', unit: '%', source: origin }) as never,
        inputs: isFile ? `${origin} sha256:x` : 'other',
      },
      rows: values.map((value) => ({ text: JSON.stringify(value) as never, value })),
      extent: 'replaces',
      window: { from: dates.at(-1) ?? FIRST, to: dates[0] ?? FIRST },
      covered: { from: dates.at(-1) ?? FIRST, to: dates[0] ?? FIRST, rows: days },
      // Nothing later existed on its last day.
      at: Date.parse(`${dates[0]}T20:00:00Z`),
    });
  }
}

/** Dates and values of the route about all indicators of a currency. */
async function recentIn(source: Source): Promise<readonly { date: string; val: number }[]> {
  const endpoint = endpointById('announcements_recent') ?? expect.fail();
  const given = { path: { currency: 'USD' }, query: { limit: '50' } };
  const { args } = readParams(endpoint, given, { mode: 'strict', now: NOW });
  const { body } = await source.ask({ endpoint, args }, { caller: { kind: 'owner' }, now: NOW });
  const rows: { date: string; val: number }[] = JSON.parse(body).data;
  return rows.map(({ date, val }) => ({ date, val }));
}

/** A panel has no dates of its own, and one of the routes shows one row. */
const WINDOWED = EACH.filter(
  ([id, { query }]) =>
    query.start_date && query.end_date && id !== 'research_panel' && id !== 'latest_announcements_series',
);

const VARIANTS: readonly Readonly<Record<string, string>>[] = [
  {},
  { indicators: 'all' },
  { revisions: 'first' },
  { revisions: 'all' },
  { as_of: '2026-10-20T12:00:00Z' },
  { rate_type: 'forward', start_tenor_years: '2', end_tenor_years: '5' },
  { session: 'tokyo' },
];

/** From the first date, up to and behind the day of the sandbox. */
const days = fc.integer({ min: -120, max: 340 });

describe('the same date has the same number', () => {
  const origins = fc.uniqueArray(
    fc.record({
      origin: fc.constantFrom(...ORIGINS),
      from: fc.integer({ min: 0, max: DAYS - 10 }),
      days: fc.integer({ min: 1, max: 40 }),
    }),
    { selector: ({ origin }) => origin, minLength: 1, maxLength: 5 },
  );
  const window = fc.tuple(fc.integer({ min: 0, max: DAYS + 30 }), fc.integer({ min: 0, max: DAYS + 30 }));

  it('in every window and on every page, and the first one that covers it speaks', async () => {
    const { platform } = testPlatform({ now: NOW });
    const endpoint = endpointById('announcements') ?? expect.fail();
    let run = 0;
    await fc.assert(
      fc.asyncProperty(
        origins,
        fc.array(window, { minLength: 1, maxLength: 3 }),
        fc.integer({ min: 1, max: 9 }),
        async (filled, windows, limit) => {
          run += 1;
          const mirror = await freshMirror(platform, `run-${run}.db`);
          await fill(mirror, filled);
          const source = createMirrorSource({ mirror, labels: LABELS });
          const expected = (date: string): number | undefined => {
            const covering = filled.filter(
              ({ from, days }) => date >= addDays(FIRST, from) && date < addDays(FIRST, from + days),
            );
            const [first] = covering
              .map(({ origin }) => ORIGINS.indexOf(origin as (typeof ORIGINS)[number]) + 1)
              .sort();
            return first;
          };
          const newest = addDays(FIRST, Math.max(...filled.map(({ from, days }) => from + days - 1)));
          const lag = (Date.parse('2026-11-22') - Date.parse(newest)) / 86_400_000;
          for (const [a, b] of windows) {
            const [from, to] = [addDays(FIRST, Math.min(a, b)), addDays(FIRST, Math.max(a, b))];
            const seen: [string, number][] = [];
            let total = 0;
            for (let offset = 0; offset === 0 || offset < total; offset += limit) {
              const query = { start_date: from, end_date: to, limit: String(limit), offset: String(offset) };
              const { args } = readParams(
                endpoint,
                { path: { currency: 'USD', indicator: 'gov_bond_10y' }, query },
                { mode: 'strict', now: NOW },
              );
              const { body } = await source.ask({ endpoint, args }, { caller: { kind: 'owner' }, now: NOW });
              const { data, pagination, data_quality: quality, latest_available_date: latest } = JSON.parse(body);
              total = pagination.total_count;
              // The end of all sources together, whatever the window; nothing where it asks for days behind that.
              const isBehind = to > newest;
              expect([latest, quality.data_lag_days]).toEqual(isBehind ? [undefined, undefined] : [newest, lag]);
              const hasNewest = data[0]?.date === newest;
              expect(pagination.page_includes_latest_available).toBe(isBehind && hasNewest ? undefined : hasNewest);
              for (const { date, val, outside_requested_window: outside } of data) if (!outside) seen.push([date, val]);
            }
            const wanted = Array.from({ length: DAYS + 40 }, (_, i) => addDays(FIRST, i))
              .filter((date) => date >= from && date <= to)
              .flatMap((date): [string, number][] => {
                const val = expected(date);
                return val === undefined ? [] : [[date, val]];
              });
            expect(seen).toEqual(wanted.toReversed());
          }
          const all = Array.from({ length: DAYS + 40 }, (_, i) => addDays(FIRST, i)).flatMap((date) => {
            const val = expected(date);
            return val === undefined ? [] : [{ date, val }];
          });
          expect(await recentIn(source)).toEqual(all.toReversed().slice(0, 50));
        },
      ),
      { numRuns: 25 },
    );
  }, 120_000);

  it.each(WINDOWED)('in every window and on every page of %s', { timeout: 60_000 }, async (_, endpoint) => {
    const { platform, clock } = testPlatform();
    const now = clock.now();
    const source = createMirrorSource({ mirror: await sandboxMirror(platform), labels: LABELS });
    const { path, query } = exampleOf(endpoint);
    const key = endpoint.mirror?.key.map(({ from, name }) => (typeof from === 'string' ? from : name)) ?? ['date'];
    for (const caller of [{ kind: 'owner' }, { kind: 'keyless' }] as const)
      for (const variant of VARIANTS) {
        const isOne = endpoint.query.as_of?.required && variant.as_of !== undefined;
        if (isOne || !Object.keys(variant).every((name) => endpoint.query[name])) continue;
        const seen = new Map<string, JsonObject>();
        await fc.assert(
          fc.asyncProperty(days, days, fc.integer({ min: 1, max: 50 }), fc.nat(5), async (a, b, limit, offset) => {
            const [start_date, end_date] = [Math.min(a, b), Math.max(a, b)].map((day) => addDays(FIRST, day));
            const page = endpoint.paging.kind === 'offset' ? { limit: String(limit), offset: String(offset) } : {};
            const asked = { path, query: { ...query, ...variant, start_date, end_date, ...page } };
            const { args } = readParams(endpoint, asked, { mode: 'liberal', now });
            const reply = await source.ask({ endpoint, args }, { caller, now }).catch((error: unknown) => {
              // Nobody without a key may ask for some.
              if (error instanceof MacroError && error.kind === 'auth') return undefined;
              throw error;
            });
            for (const { value } of reply ? cutBody(endpoint.body, reply.body).rows : []) {
              if (value.outside_requested_window) continue;
              const name = JSON.stringify(key.map((one) => value[one]));
              expect(value).toEqual(seen.get(name) ?? value);
              seen.set(name, value);
            }
          }),
          { numRuns: draws(12) },
        );
      }
  });

  it('every importer has a place among the publishers', () => {
    expect([...new Set(IMPORT_FORMATS.map(({ publisher }) => publisher))].sort()).toEqual(
      [...OFFICIAL_PUBLISHERS].sort(),
    );
  });
});
