import { expect, test } from 'vitest';
import type { Caller } from '../../src/contract/hooks.ts';
import type { JsonObject } from '../../src/contract/json/json.ts';
import { AVAILABILITIES } from '../../src/contract/time/moments.ts';
import { MacroError } from '../../src/errors.ts';
import { createColumns } from '../../src/source/columns.ts';
import { createMirrorSource } from '../../src/source/mirror.ts';
import type { AskContext, Question, Source } from '../../src/source/source.ts';
import { KEYED, KEYLESS, OWNER, question, whole, world } from '../source/world.ts';
import fc from '../support/properties.ts';
import { LABELS } from '../support/service.ts';
import { BEGIN, looks, rowsOf } from './as-of-streams.ts';

const CALLERS: readonly Caller[] = [KEYED, KEYLESS, OWNER];
/** Later than everything drawn by more than the delay that is kept without a key, and shortly after its middle. */
const NOWS = [BEGIN + 1_000_000, BEGIN + 1000].map((seconds) => seconds * 1000);
const ACCESSES = ['key:1', 'keyless'] as const;

const INFLATION = { currency: 'USD', indicator: 'inflation' };
const YIELD = { currency: 'USD', indicator: 'gov_bond_10y' };

/** Questions at a moment (Unix seconds): by the parameter where there is one. */
const QUESTIONS: readonly ((moment: string) => Question)[] = [
  (as_of) => question('announcements', INFLATION, { start_date: '2026-01-01', as_of }),
  (as_of) => question('announcements', INFLATION, { start_date: '2026-09-01', as_of, limit: '1', offset: '1' }),
  (as_of) => question('announcements', INFLATION, { start_date: '2026-01-01', as_of, revisions: 'all' }),
  (as_of) => question('announcements', INFLATION, { start_date: '2026-01-01', as_of, availability: 'captured' }),
  (as_of) =>
    question('curves', { currency: 'USD' }, { as_of, max_staleness_days: '200', require_common_date: 'false' }),
];
const UNDATED = question('announcements', INFLATION, { start_date: '2026-01-01' });

/** An answer, or why there is none. */
async function told(source: Source, asked: Question, context: AskContext) {
  try {
    const { body, etag, asOf, partial, notes } = await source.ask(asked, context);
    return { body, etag, asOf, mark: partial?.mark, notes };
  } catch (error) {
    if (error instanceof MacroError) return { code: error.code, status: error.status, message: error.message };
    throw error;
  }
}

const stream = fc.record({ looks: looks(true), isAll: fc.boolean(), access: fc.constantFrom(...ACCESSES) });

test('an answer of the past from what is kept is the one that is read anew, whatever was committed meanwhile', async () => {
  await fc.assert(
    fc.asyncProperty(stream, stream, async (prints, yields) => {
      const made = await world();
      const kept = createMirrorSource({ mirror: made.mirror, labels: LABELS, columns: createColumns() });
      const fresh = () => createMirrorSource({ mirror: made.mirror, labels: LABELS });
      const ofEach = [
        { of: INFLATION, ...prints },
        { of: YIELD, ...yields },
      ];
      const coming = ofEach
        .flatMap(({ of, looks: seen, isAll, access }) => seen.map((look) => ({ of, look, isAll, access })))
        .sort((a, b) => a.look.at - b.look.at);
      const known = JSON.stringify(coming.map(({ look }) => [look.at, [...look.state.values()]]));
      const times = [...new Set(known.match(/\d{10}/g) ?? [])].map(Number);
      const moments = times.flatMap((at) => [at - 1, at]);
      const compare = async (asked: Question, context: AskContext) => {
        const answers = [await told(kept, asked, context), await told(fresh(), asked, context)];
        expect([asked.args, context, answers[0]]).toEqual([asked.args, context, answers[1]]);
      };
      for (const [i, { of, look, isAll, access }] of coming.entries()) {
        const rows = rowsOf(look.state, true);
        const asked = question('announcements', of);
        const body = { ...of, unit: '%', data: rows, pagination: whole(rows.length) } as JsonObject;
        await made.take(asked, body, { at: look.at * 1000, access, ...(isAll && { isAll }) });
        // All moments after the last commit; after each other one a few, which the next one may take back.
        const some = i === coming.length - 1 ? moments : moments.filter((_, place) => (place + i) % 11 === 0);
        for (const [place, moment] of some.entries()) {
          const now = NOWS[place % NOWS.length] ?? 0;
          const caller = CALLERS[(place + i) % CALLERS.length] ?? OWNER;
          for (const ask of QUESTIONS) await compare(ask(new Date(moment * 1000).toISOString()), { caller, now });
          const by = AVAILABILITIES[place % AVAILABILITIES.length] ?? 'public';
          await compare(UNDATED, { caller: OWNER, now, asOf: { at: moment * 1000, by } });
        }
      }
    }),
    { numRuns: 4, endOnFailure: true },
  );
}, 240_000);

/** Pages of a history, with and without the parameter. */
const PAGES: readonly Readonly<Record<string, string>>[] = [
  {},
  { limit: '1', offset: '1' },
  { start_date: '2026-09-01' },
  { start_date: '2026-01-01', end_date: '2026-09-30', limit: '2' },
  { availability: 'captured' },
  { revisions: 'all' },
];

/** The milliseconds around a change, each side asked about again once both are known. */
const AROUND = [-1, 0, 1, -1000, 1000, -1, 86_400_000];

test('moments between which nothing changed share their rows, and tell of themselves', async () => {
  const draws = fc.array(fc.nat(), { minLength: 6, maxLength: 6 });
  const room = fc.constantFrom(undefined, 30_000, 8_000);
  await fc.assert(
    fc.asyncProperty(looks(true), draws, room, async (seen, drawn, most) => {
      const made = await world();
      const kept = createMirrorSource({ mirror: made.mirror, labels: LABELS, columns: createColumns(most) });
      const fresh = () => createMirrorSource({ mirror: made.mirror, labels: LABELS });
      const known = JSON.stringify(seen.map(({ at, state }) => [at, [...state.values()]]));
      const changes = [...new Set(known.match(/\d{10}/g) ?? [])].map((seconds) => Number(seconds) * 1000);
      const compare = async (asked: Question, context: AskContext) => {
        const answers = [await told(kept, asked, context), await told(fresh(), asked, context)];
        expect([asked.args, context, answers[0]]).toEqual([asked.args, context, answers[1]]);
      };
      for (const look of seen) {
        const rows = rowsOf(look.state, true);
        const body = { ...INFLATION, unit: '%', frequency: 'Monthly', data: rows, pagination: whole(rows.length) };
        const from = { at: look.at * 1000, access: 'key:1', isAll: true } as const;
        await made.take(question('announcements', INFLATION), body as JsonObject, from);
        for (const [i, draw] of drawn.entries()) {
          const query = { start_date: '2026-01-01', ...PAGES[i % PAGES.length] };
          const caller = { caller: KEYED, now: NOWS[draw % NOWS.length] ?? 0 };
          const by = AVAILABILITIES[draw % AVAILABILITIES.length] ?? 'public';
          for (const beside of AROUND) {
            const at = (changes[draw % changes.length] ?? 0) + beside;
            await compare(question('announcements', INFLATION, query), { ...caller, asOf: { at, by } });
            const as_of = new Date(at).toISOString().replace(/\.\d+/, '');
            await compare(question('announcements', INFLATION, { ...query, as_of }), caller);
          }
        }
      }
    }),
    { numRuns: 5, endOnFailure: true },
  );
}, 240_000);
