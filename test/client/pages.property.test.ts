import { describe, expect, test } from 'vitest';
import type { LivePage } from '../../src/client/client.ts';
import { createClient } from '../../src/client/create.ts';
import { MacroError } from '../../src/errors.ts';
import { freshFolder, testPlatform } from '../support/platform.ts';
import fc, { draws } from '../support/properties.ts';
import { BASE, days, SENTIMENT, WINDOW } from './support.ts';

type Row = { readonly date: string; readonly val: number };

/** A service over a list that may change between two requests. Honest about what it has at the moment of each request. */
function service(rowsAt: (request: number) => readonly Row[]) {
  let requests = 0;
  return async (url: string) => {
    const query = new URL(url).searchParams;
    const rows = rowsAt(requests);
    requests += 1;
    const offset = Number(query.get('offset') ?? 0);
    const limit = Number(query.get('limit'));
    const data = rows.slice(offset, offset + limit);
    const end = offset + data.length;
    const has_more = end < rows.length;
    const pagination = {
      limit,
      offset,
      returned_count: data.length,
      total_count: rows.length,
      has_more,
      ...(has_more && { next_offset: end }),
    };
    return Response.json({ ...WINDOW, data, pagination });
  };
}

/** One folder for all runs of a property. */
const folder = freshFolder();

async function walk(rowsAt: (request: number) => readonly Row[], limit: number) {
  const { platform } = testPlatform({ fetch: service(rowsAt), folder });
  const client = createClient({ platform, baseUrl: BASE });
  const pages: LivePage[] = [];
  for await (const page of client.pages({ endpoint: SENTIMENT, args: { limit } })) pages.push(page);
  return pages;
}

describe('for every total and every limit', () => {
  test('a walk over a list that stands still gives exactly that list, in the fewest pages', async () => {
    await fc.assert(
      fc.asyncProperty(fc.nat(300), fc.integer({ min: 1, max: 100 }), async (total, limit) => {
        const rows = days(0, total);
        const pages = await walk(() => rows, limit);
        expect(pages.flatMap((page) => page.cut.rows.map((row) => row.value))).toEqual(rows);
        expect(pages).toHaveLength(Math.max(1, Math.ceil(total / limit)));
        expect(pages.every((page) => page.total === total)).toBe(true);
      }),
      { numRuns: draws(30) },
    );
  });

  test('a walk over a list that grows, shrinks or shifts gives one state of it, or says that it does not', async () => {
    const change = fc.record({
      when: fc.integer({ min: 1, max: 6 }),
      kind: fc.constantFrom('new row', 'lost row', 'shift'),
      place: fc.nat(400),
    });
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 120 }),
        fc.integer({ min: 1, max: 40 }),
        change,
        async (total, limit, moved) => {
          const before = days(1, total);
          const after = changed(before, moved);
          const outcome = await walk((request) => (request < moved.when ? before : after), limit).catch(
            (error: unknown) => error,
          );
          if (outcome instanceof MacroError) {
            expect(['incomplete', 'protocol']).toContain(outcome.kind);
            return;
          }
          const pages = outcome as readonly LivePage[]; // anything else would be a bug, and fails here
          const seen = pages.flatMap((page) => page.cut.rows.map((row) => row.value));
          expect([JSON.stringify(before), JSON.stringify(after)]).toContain(JSON.stringify(seen));
        },
      ),
      { numRuns: draws(60) },
    );
  });
});

/** The list after a change; a shift is a new row at the front and one lost at the end, so that the total stays. */
function changed(rows: readonly Row[], { kind, place }: { kind: string; place: number }): readonly Row[] {
  const [fresh = { date: '', val: 0 }] = days(0, 1);
  if (kind === 'lost row') return rows.filter((_, i) => i !== place % rows.length);
  return kind === 'shift' ? [fresh, ...rows.slice(0, -1)] : [fresh, ...rows];
}
