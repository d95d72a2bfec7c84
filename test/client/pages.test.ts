import { describe, expect, test } from 'vitest';
import { collect, days, endpoint, failure, SENTIMENT, scene, WINDOW } from './support.ts';

const QUERY = 'start_date=2026-01-01&end_date=2026-01-31&limit=2';
const QUESTION = { endpoint: SENTIMENT, args: { ...WINDOW, limit: 2 } };
const at = (offset?: number) => `GET /v1/risk_sentiment?${QUERY}${offset === undefined ? '' : `&offset=${offset}`}`;

type Pagination = Record<string, unknown>;

/** Five rows in pages of two, as an honest service gives them; `change` bends the pagination of one page. */
function pageOf(offset: number, change: Pagination = {}, rows = days(offset, Math.min(2, 5 - offset))) {
  const end = offset + rows.length;
  const more = end < 5;
  const pagination = {
    limit: 2,
    offset,
    returned_count: rows.length,
    total_count: 5,
    has_more: more,
    ...(more && { next_offset: end }),
    ...change,
  };
  return { ...WINDOW, data: rows, pagination };
}

function walk(pages: Readonly<Record<number, unknown>>, resume?: { offset: number; total: number | undefined }) {
  const script = Object.entries(pages).map(([offset, body]) => ({
    request: at(offset === '0' ? undefined : Number(offset)),
    body,
  }));
  const { client, upstream } = scene(script);
  return { upstream, pages: () => collect(client.pages(QUESTION, resume)) };
}

describe('a walk over offset pages', () => {
  test('follows the offsets that a partial mirror names, where rows between them are not held', async () => {
    const mirror = { complete: false, missing: [{ from: '2026-01-30', to: '2026-01-31' }] };
    const place = { has_more: true, next_offset: 2, total_count: 4, returned_count: 1 };
    const end = { has_more: false, next_offset: undefined, total_count: 4, returned_count: 2 };
    const { pages } = walk({
      0: { ...pageOf(0, place, days(1, 1)), mirror },
      2: { ...pageOf(2, end, days(2, 2)), mirror },
    });
    expect((await pages()).map(({ offset, cut }) => [offset, cut.rows.length])).toEqual([
      [0, 1],
      [2, 2],
    ]);
  });

  test('collects every row once and says where it stands', async () => {
    const { upstream, pages } = walk({ 0: pageOf(0), 2: pageOf(2), 4: pageOf(4) });
    const seen = await pages();
    upstream.verify();
    expect(seen.map(({ offset, next, total }) => ({ offset, next, total }))).toEqual([
      { offset: 0, next: '2', total: 5 },
      { offset: 2, next: '4', total: 5 },
      { offset: 4, next: undefined, total: 5 },
    ]);
    expect(seen.flatMap((page) => page.cut.rows.map((row) => row.value))).toEqual(days(0, 5));
  });

  test('is content with the three members that the specification names', async () => {
    const lean = (has_more: boolean, next_offset?: number) => ({ has_more, next_offset, total_count: 5 });
    const { pages } = walk({
      0: { ...WINDOW, data: days(0, 2), pagination: lean(true, 2) },
      2: { ...WINDOW, data: days(2, 2), pagination: lean(true, 4) },
      4: { ...WINDOW, data: days(4, 1), pagination: lean(false) },
    });
    expect((await pages()).flatMap((page) => page.cut.rows)).toHaveLength(5);
  });

  test('follows shorter pages than it asked for', async () => {
    const { pages } = walk({ 0: pageOf(0, {}, days(0, 1)), 1: pageOf(1, {}, days(1, 2)), 3: pageOf(3) });
    expect((await pages()).map((page) => page.next)).toEqual(['1', '3', undefined]);
  });

  test('goes on where an earlier walk stopped, with the total that it knew', async () => {
    const { upstream, pages } = walk({ 2: pageOf(2), 4: pageOf(4) }, { offset: 2, total: 5 });
    expect((await pages()).map((page) => page.offset)).toEqual([2, 4]);
    upstream.verify();
    const moved = walk({ 2: pageOf(2) }, { offset: 2, total: 6 });
    expect(await failure(moved.pages())).toMatchObject({ kind: 'incomplete' });
  });

  test('an empty result is one page', async () => {
    const { pages } = walk({ 0: pageOf(0, { total_count: 0, has_more: false, next_offset: null }, []) });
    expect(await pages()).toMatchObject([{ offset: 0, next: undefined, total: 0 }]);
  });

  test('an offset beyond the end is empty, not wrong', async () => {
    const { pages } = walk({ 9: pageOf(9, { has_more: false }, []) }, { offset: 9, total: undefined });
    expect(await pages()).toMatchObject([{ offset: 9, next: undefined, total: 5 }]);
  });

  test('an unchanged first page ends the walk', async () => {
    const { client, upstream } = scene([{ request: at(), status: 304, sent: { 'if-none-match': 'W/"1"' } }]);
    expect(await collect(client.pages({ ...QUESTION, ifNoneMatch: 'W/"1"' }))).toMatchObject([
      { status: 304, cut: { rows: [] }, next: undefined },
    ]);
    upstream.verify();
  });

  test('a validator belongs to the first page only', async () => {
    const { client, upstream } = scene([
      { request: at(), body: pageOf(0), sent: { 'if-none-match': 'W/"1"' } },
      { request: at(2), body: pageOf(2), sent: { 'if-none-match': null } },
      { request: at(4), body: pageOf(4), sent: { 'if-none-match': null } },
    ]);
    await collect(client.pages({ ...QUESTION, ifNoneMatch: 'W/"1"' }));
    upstream.verify();
  });
});

describe('a breach of paging', () => {
  test.each<[string, Readonly<Record<number, unknown>>, string]>([
    ['no pagination object', { 0: { ...WINDOW, data: days(0, 2) } }, 'no pagination object'],
    ['has_more that is no boolean', { 0: pageOf(0, { has_more: 'true' }) }, 'no pagination object with has_more'],
    ['another offset than asked', { 0: pageOf(0, { offset: 2 }) }, 'rows from 0 were asked for, rows from 2 came'],
    ['a count of other rows', { 0: pageOf(0, { returned_count: 3 }) }, 'says that it has 3 rows and has 2'],
    ['more rows than asked', { 0: pageOf(0, {}, days(0, 3)) }, 'at most 2 rows were asked for, 3 came'],
    ['a total that is no count', { 0: pageOf(0, { total_count: 'many' }) }, 'total_count is no whole number'],
    ['an empty page with more', { 0: pageOf(0, { next_offset: 0 }, []) }, 'an empty page says'],
    ['no next offset', { 0: pageOf(0, { next_offset: null }) }, 'should begin at 2, not at an unknown place'],
    ['a wrong next offset', { 0: pageOf(0, { next_offset: 3 }) }, 'should begin at 2, not at 3'],
    ['more after the total', { 0: pageOf(0, { total_count: 2 }) }, 'all 2 rows have come'],
    ['an early end', { 0: pageOf(0, { has_more: false }) }, 'the last page ends at row 2 of 5'],
    [
      'an end beyond the total',
      { 0: pageOf(0, { has_more: false, total_count: 1 }) },
      'the last page ends at row 2 of 1',
    ],
    ['a page that comes again', { 0: pageOf(0), 2: pageOf(2, {}, days(0, 2)) }, 'a page came twice'],
  ])('%s is refused', async (_, script, message) => {
    expect(await failure(walk(script).pages())).toMatchObject({
      kind: 'protocol',
      message: expect.stringContaining(message),
    });
  });

  test.each<[string, Readonly<Record<number, unknown>>]>([
    ['a total that moves', { 0: pageOf(0), 2: pageOf(2, { total_count: 6 }) }],
    ['a total that vanishes', { 0: pageOf(0), 2: pageOf(2, { total_count: null }) }],
    ['rows that shift by one', { 0: pageOf(0), 2: pageOf(2, {}, days(1, 2)) }],
  ])('%s makes the walk incomplete', async (_, script) => {
    expect(await failure(walk(script).pages())).toMatchObject({ kind: 'incomplete' });
  });

  test('the pages before it were handed on', async () => {
    const { client } = scene([
      { request: at(), body: pageOf(0) },
      { request: at(2), body: pageOf(2, { total_count: 6 }) },
    ]);
    const seen: number[] = [];
    const read = async () => {
      for await (const page of client.pages(QUESTION)) seen.push(page.offset);
    };
    await failure(read());
    expect(seen).toEqual([0]);
  });
});

describe('a pinned walk', () => {
  const VERSION = 'ab'.repeat(32);
  const announcements = endpoint('announcements');
  const ABOUT = { currency: 'USD', indicator: 'inflation' };
  const args = { ...ABOUT, limit: 2 };
  const PATH = 'GET /v1/announcements/USD/inflation?limit=2';
  const page = (offset: number, version?: unknown) => ({ ...pageOf(offset), ...ABOUT, dataset_version: version });

  test('sends the version of the first page with every later one', async () => {
    const { client, upstream } = scene([
      { request: PATH, body: page(0, VERSION) },
      { request: `${PATH}&offset=2&dataset_version=${VERSION}`, body: page(2, VERSION) },
      { request: `${PATH}&offset=4&dataset_version=${VERSION}`, body: page(4) },
    ]);
    expect(await collect(client.pages({ endpoint: announcements, args }))).toHaveLength(3);
    upstream.verify();
  });

  test('a history that changed in between makes it incomplete', async () => {
    const mismatch = {
      detail: 'No longer current.',
      code: 'dataset_version_mismatch',
      error: 'dataset_version_mismatch',
    };
    const { client } = scene([
      { request: PATH, body: page(0, VERSION) },
      { request: `${PATH}&offset=2&dataset_version=${VERSION}`, status: 409, body: mismatch },
    ]);
    expect(await failure(collect(client.pages({ endpoint: announcements, args })))).toMatchObject({
      kind: 'incomplete',
      code: 'dataset_version_mismatch',
    });
  });

  test('a later page of another version makes it incomplete', async () => {
    const { client } = scene([
      { request: PATH, body: page(0, VERSION) },
      { request: `${PATH}&offset=2&dataset_version=${VERSION}`, body: page(2, 'cd'.repeat(32)) },
    ]);
    expect(await failure(collect(client.pages({ endpoint: announcements, args })))).toMatchObject({
      kind: 'incomplete',
      code: 'result_moved',
    });
  });

  test('a version of another form is not sent back', async () => {
    const { client, upstream } = scene([
      { request: PATH, body: page(0, 'v7') },
      { request: `${PATH}&offset=2`, body: page(2, 'v7') },
      { request: `${PATH}&offset=4`, body: page(4, 'v7') },
    ]);
    await collect(client.pages({ endpoint: announcements, args }));
    upstream.verify();
  });
});
