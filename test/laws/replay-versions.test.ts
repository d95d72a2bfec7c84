import { expect, test } from 'vitest';
import type { Caller } from '../../src/contract/hooks.ts';
import type { JsonObject } from '../../src/contract/json/json.ts';
import { createColumns } from '../../src/source/columns.ts';
import { createMirrorSource } from '../../src/source/mirror.ts';
import { KEYED, KEYLESS, question, whole, world } from '../source/world.ts';
import fc, { draws } from '../support/properties.ts';
import { LABELS } from '../support/service.ts';
import { looks, rowsOf } from './as-of-streams.ts';

const INFLATION = { currency: 'USD', indicator: 'inflation' };
const ASKED = [
  question('announcements', INFLATION, { start_date: '2026-08-01', end_date: '2026-11-21' }),
  question('announcements', INFLATION, { start_date: '2026-08-01', end_date: '2026-11-21', limit: '1', offset: '1' }),
];
const MINUTES = 60_000;

/** Milliseconds around a change, and those after which the delay lets it through. */
const AROUND = [-1, 0, 1, 1000, 15 * MINUTES, 20 * MINUTES - 1, 20 * MINUTES];

test('answers of a replay with one version have the same rows, and those with one validator the same text', async () => {
  let answers = 0;
  const versions = new Set<string>();
  await fc.assert(
    fc.asyncProperty(looks(true), fc.boolean(), fc.constantFrom(undefined, 0), async (seen, isKeyless, room) => {
      const made = await world();
      for (const { at, state } of seen) {
        const rows = rowsOf(state, true);
        const body = { ...INFLATION, unit: '%', frequency: 'Monthly', data: rows, pagination: whole(rows.length) };
        const from = { at: at * 1000, access: isKeyless ? 'keyless' : 'key:1', isAll: true } as const;
        await made.take(question('announcements', INFLATION), body as JsonObject, from);
      }
      const known = JSON.stringify(seen.map(({ at, state }) => [at, [...state.values()]]));
      const times = [...new Set(known.match(/\d{10}/g) ?? [])].map((seconds) => Number(seconds) * 1000);
      const moments = [...new Set(times.flatMap((at) => AROUND.map((beside) => at + beside)))];
      const source = createMirrorSource({ mirror: made.mirror, labels: LABELS, columns: createColumns(room) });
      for (const asked of ASKED)
        for (const caller of [KEYED, KEYLESS] as readonly Caller[]) {
          const [byVersion, byEtag] = [new Map<string, unknown>(), new Map<string, unknown>()];
          for (const now of moments) {
            const context = {
              caller,
              now,
              presentAt: Date.parse('2027-01-01'),
              asOf: { at: now, by: 'public' },
            } as const;
            const reply = await source.ask(asked, context).catch(() => undefined);
            if (!reply) continue;
            answers += 1;
            const { dataset_version: version, data } = JSON.parse(reply.body);
            expect([now, data]).toEqual([now, byVersion.get(version) ?? data]);
            byVersion.set(version, data);
            versions.add(version);
            if (reply.etag === undefined) continue;
            expect([now, reply.body]).toEqual([now, byEtag.get(reply.etag) ?? reply.body]);
            byEtag.set(reply.etag, reply.body);
          }
        }
    }),
    { numRuns: draws(6), endOnFailure: true },
  );
  // A version lasts: most moments share theirs with others.
  expect(versions.size).toBeLessThan(answers / 4);
}, 240_000);
