import { describe, expect, it } from 'vitest';
import type { Caller } from '../../src/contract/hooks.ts';
import { readParams } from '../../src/contract/params/read-params.ts';
import { createColumns } from '../../src/source/columns.ts';
import { createMirrorSource } from '../../src/source/mirror.ts';
import type { Source } from '../../src/source/source.ts';
import { testPlatform } from '../support/platform.ts';
import { LABELS, sandboxMirror } from '../support/service.ts';
import { EACH, exampleOf } from './wire.ts';

// A page that is cut out of kept columns is the one that is read and computed by itself.

const CALLERS: readonly Caller[] = [{ kind: 'keyed', plan: 'individual' }, { kind: 'owner' }, { kind: 'keyless' }];

/** Questions beside the example of an endpoint, as far as it has these parameters. */
const QUESTIONS: readonly Readonly<Record<string, string>>[] = [
  {},
  { start_date: '2000-01-01' },
  { start_date: '2000-01-01', end_date: '2026-09-15' },
  { start_date: '2000-01-01', indicators: 'all' },
  { start_date: '2000-01-01', revisions: 'first' },
  { start_date: '2000-01-01', revisions: 'all' },
  { start_date: '2000-01-01', as_of: '2026-01-15' },
];

const PLACES = [
  { limit: 7, offset: 0 },
  { limit: 1, offset: 1 },
  { limit: 20, offset: 3 },
  { limit: 20, offset: 61 },
  { limit: 13, offset: 100 },
  { limit: 20, offset: 127 },
  { limit: 5, offset: 100_000 },
];

const offsetPaged = EACH.filter(([, { paging }]) => paging.kind === 'offset');

describe.each(offsetPaged)('%s', (_, endpoint) => {
  it('has the same pages out of its columns as by themselves', async () => {
    const { platform, clock } = testPlatform();
    const now = clock.now();
    const mirror = await sandboxMirror(platform);
    const source = createMirrorSource({ mirror, labels: LABELS, columns: createColumns() });
    const { path, query = {} } = exampleOf(endpoint);
    const known = QUESTIONS.map((question) =>
      Object.fromEntries(Object.entries(question).filter(([name]) => endpoint.query[name] !== undefined)),
    );
    const questions = [...new Map(known.map((one) => [JSON.stringify(one), { ...query, ...one }])).values()];
    for (const question of questions)
      for (const caller of CALLERS) {
        const argsAt = (place: Readonly<Record<string, number>>) =>
          readParams(
            endpoint,
            {
              path,
              query: { ...question, ...Object.fromEntries(Object.entries(place).map(([k, v]) => [k, String(v)])) },
            },
            { mode: 'liberal', now },
          ).args;
        for (const place of PLACES.filter(
          ({ limit }) => endpoint.paging.kind === 'offset' && limit <= endpoint.paging.max,
        )) {
          const asked = { endpoint, args: argsAt(place) };
          const fresh = createMirrorSource({ mirror, labels: LABELS });
          const told = async (one: Source) => {
            const { body, etag } = await one.ask(asked, { caller, now });
            return { question, place, body, etag };
          };
          expect(await told(source)).toEqual(await told(fresh));
        }
      }
  });
});
