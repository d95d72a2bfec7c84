import { describe, expect, test } from 'vitest';
import { defineEndpoint } from '../../src/contract/endpoint.ts';
import { listAt } from '../../src/contract/json/body.ts';
import { paged } from '../../src/contract/paging.ts';
import { collect, days, endpoint, failure, scene } from './support.ts';

/** An invented endpoint of one kind of paging. */
function tiny(kind: 'vintage' | 'checkpoint' | 'sequence') {
  return defineEndpoint({
    id: `tiny_${kind}`,
    path: '/v1/tiny',
    group: 'health',
    at: {},
    query: {},
    access: { class: 'public' },
    paging: paged(kind, 10, 2),
    body: listAt('data'),
    row: {},
    fresh: 0,
    doc: { summary: 'Invented', example: {} },
  });
}

const rows = (from: number, count: number) => days(from, count);

function walk(kind: 'vintage' | 'checkpoint' | 'sequence', script: Readonly<Record<string, unknown>>) {
  const exchanges = Object.entries(script).map(([query, body]) => ({ request: `GET /v1/tiny?${query}`, body }));
  const { client, upstream } = scene(exchanges);
  return { upstream, pages: () => collect(client.pages({ endpoint: tiny(kind), args: { limit: 2 } })) };
}

const places = (pages: readonly { offset: number; next: string | undefined }[]) =>
  pages.map(({ offset, next }) => [offset, next]);

describe('changes, by cursor', () => {
  const changes = endpoint('announcements_changes');
  const PATH = 'GET /v1/announcements/changes?limit=2';
  const event = (n: number) => ({ event_id: `usd_gdp_${n}`, currency: 'usd', indicator: 'gdp', timestamp: n });
  const walkChanges = (script: Readonly<Record<string, unknown>>) => {
    const { client, upstream } = scene(
      Object.entries(script).map(([query, body]) => ({ request: `${PATH}${query}`, body })),
    );
    return { upstream, pages: () => collect(client.pages({ endpoint: changes, args: { limit: 2 } })) };
  };

  test('continue with the cursor, whose last value stays readable', async () => {
    const { upstream, pages } = walkChanges({
      '': { data: [event(1), event(2)], count: 2, next_cursor: 'c1.b', has_more: true },
      '&since=c1.b': { data: [event(3)], count: 1, next_cursor: 'c1.c', has_more: false },
    });
    const seen = await pages();
    upstream.verify();
    expect(places(seen)).toEqual([
      [0, 'c1.b'],
      [2, undefined],
    ]);
    expect(seen.at(-1)?.cut.envelope.next_cursor).toBe('c1.c');
  });

  test('without has_more are one page', async () => {
    expect(places(await walkChanges({ '': { data: [event(1)], next_cursor: 'c1.a' } }).pages())).toEqual([
      [0, undefined],
    ]);
  });

  test.each<[string, Readonly<Record<string, unknown>>, string]>([
    ['an empty page with more', { '': { data: [], next_cursor: 'a', has_more: true } }, 'an empty page'],
    ['more without a cursor', { '': { data: [event(1)], has_more: true } }, "has no member 'next_cursor'"],
    [
      'a wrong count',
      { '': { data: [event(1)], next_cursor: 'a', count: 2, has_more: false } },
      'has 2 rows and has 1',
    ],
    [
      'more rows than asked',
      { '': { data: [event(1), event(2), event(3)], next_cursor: 'a', has_more: false } },
      'at most 2 rows',
    ],
    [
      'a cursor that does not move',
      {
        '': { data: [event(1)], next_cursor: 'a', has_more: true },
        '&since=a': { data: [event(2)], next_cursor: 'a', has_more: true },
      },
      'leads back',
    ],
    [
      'cursors in a circle',
      {
        '': { data: [event(1)], next_cursor: 'a', has_more: true },
        '&since=a': { data: [event(2)], next_cursor: 'b', has_more: true },
        '&since=b': { data: [event(3)], next_cursor: 'a', has_more: true },
      },
      'leads back',
    ],
  ])('%s is refused', async (_, script, message) => {
    expect(await failure(walkChanges(script).pages())).toMatchObject({
      kind: 'protocol',
      message: expect.stringContaining(message),
    });
  });
});

test('vintages continue with before_id, read at the top or in pagination', async () => {
  const { upstream, pages } = walk('vintage', {
    'limit=2': { data: rows(0, 2), count: 2, has_more: true, next_cursor: 'fo_2' },
    'limit=2&before_id=fo_2': {
      data: rows(2, 2),
      pagination: { has_more: true, next_cursor: 'fo_4', returned_count: 2 },
    },
    'limit=2&before_id=fo_4': { data: [], has_more: false },
  });
  expect(places(await pages())).toEqual([
    [0, 'fo_2'],
    [2, 'fo_4'],
    [4, undefined],
  ]);
  upstream.verify();
});

describe('checkpoints', () => {
  const page = (checkpoint: string | undefined, more: string | undefined, from: number) => ({
    data: rows(from, 1),
    ...(checkpoint && { checkpoint }),
    pagination: { limit: 2, returned_count: 1, has_more: more !== undefined, ...(more && { next_cursor: more }) },
  });

  test('the first page mints one, and every cursor is sent with it', async () => {
    const { upstream, pages } = walk('checkpoint', {
      'limit=2': page('cp1', 'a', 0),
      'limit=2&checkpoint=cp1&cursor=a': page('cp1', 'b', 1),
      'limit=2&checkpoint=cp1&cursor=b': page(undefined, undefined, 2),
    });
    expect(await pages()).toHaveLength(3);
    upstream.verify();
  });

  test('another checkpoint in between makes the walk incomplete', async () => {
    const script = { 'limit=2': page('cp1', 'a', 0), 'limit=2&checkpoint=cp1&cursor=a': page('cp2', undefined, 1) };
    expect(await failure(walk('checkpoint', script).pages())).toMatchObject({ kind: 'incomplete' });
  });

  test('more rows without a checkpoint are refused', async () => {
    expect(await failure(walk('checkpoint', { 'limit=2': page(undefined, 'a', 0) }).pages())).toMatchObject({
      kind: 'protocol',
    });
  });
});

describe('sequences', () => {
  const page = (from: number, after: number, next: number, more: boolean) => ({
    data: rows(from, 2),
    pagination: { limit: 2, after_sequence: after, returned_count: 2, has_more: more, next_after_sequence: next },
  });

  test('continue after the number reached', async () => {
    const { upstream, pages } = walk('sequence', {
      'limit=2': page(0, 0, 17, true),
      'limit=2&after_sequence=17': page(2, 17, 19, false),
    });
    expect(places(await pages())).toEqual([
      [0, '17'],
      [2, undefined],
    ]);
    upstream.verify();
  });

  test('that run backwards or stand still are refused', async () => {
    const back = { 'limit=2': page(0, 0, 17, true), 'limit=2&after_sequence=17': page(2, 17, 9, true) };
    expect(await failure(walk('sequence', back).pages())).toMatchObject({
      kind: 'protocol',
      message: expect.stringContaining('backwards'),
    });
    const still = { 'limit=2': page(0, 0, 17, true), 'limit=2&after_sequence=17': page(2, 17, 17, true) };
    expect(await failure(walk('sequence', still).pages())).toMatchObject({
      kind: 'protocol',
      message: expect.stringContaining('leads back'),
    });
  });
});

test('an endpoint without pages is one page, and may not promise more', async () => {
  const ask = (body: unknown) => {
    const { client } = scene([{ request: 'GET /v1/fx/sources', body }]);
    return collect(client.pages({ endpoint: endpoint('fx_sources'), args: {} }));
  };
  expect(await ask({ sources: [{ id: 'ecb' }] })).toMatchObject([{ offset: 0, next: undefined, total: undefined }]);
  expect(await failure(ask({ sources: [{ id: 'ecb' }], pagination: { has_more: true } }))).toMatchObject({
    kind: 'protocol',
  });
});
