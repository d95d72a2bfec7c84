import { describe, expect, test } from 'vitest';
import { createRepeatGuard, type Judge, judgeOffsets, judgePositions } from '../../src/client/pages.ts';
import type { Endpoint } from '../../src/contract/endpoint.ts';
import { cutBody } from '../../src/contract/json/body.ts';
import type { Args } from '../../src/contract/params/params.ts';
import { MacroError } from '../../src/errors.ts';
import { collect, days, endpoint, SENTIMENT, scene } from './support.ts';

const CHANGES = endpoint('announcements_changes');

const cut = (body: unknown, of = SENTIMENT) => cutBody(of.body, JSON.stringify(body));
const page = (rows: number, pagination: unknown) => ({ data: days(0, rows), pagination });

/** What a step of paging ends with: where it stands, or the whole refusal. */
function outcome(step: () => unknown) {
  try {
    return step();
  } catch (error) {
    if (!(error instanceof MacroError)) throw error;
    const { kind, code, message, hint } = error;
    return { kind, code, message, hint };
  }
}

const breach = (what: string, of: Endpoint = SENTIMENT) => ({
  kind: 'protocol',
  code: 'paging_breach',
  message: `The pages of ${of.id} do not fit together: ${what}.`,
  hint: 'The result may be incomplete, so it is not shown. Try again later or with another --limit.',
});
const moved = (what: string, of: Endpoint = SENTIMENT) => ({
  kind: 'incomplete',
  code: 'result_moved',
  message: `The data of ${of.id} changed while they were read: ${what}.`,
  hint: 'Run it again; a closed window (--end) moves less often.',
});

describe('a page by offset', () => {
  const judged = (body: unknown, question: Args = { limit: 2 }, known?: number) =>
    outcome(() => {
      const { offset, total, next } = judgeOffsets(SENTIMENT, known)(cut(body), question);
      return { offset, total, next };
    });

  test('tells what the total was and what it became', () => {
    expect(judged(page(1, { has_more: false, total_count: 1 }), {}, 7)).toEqual(
      moved('first there were 7 rows, then 1'),
    );
    expect(judged(page(1, { has_more: false }), {}, 7)).toEqual(
      moved('first there were 7 rows, then an unknown number'),
    );
  });

  test('needs no total, and null is none', () => {
    const next = { text: '2', args: { offset: 2 } };
    expect(judged(page(2, { has_more: true, next_offset: 2 }))).toEqual({ offset: 0, total: undefined, next });
    expect(judged(page(2, { has_more: false }))).toEqual({ offset: 0, total: undefined, next: undefined });
    const empty = { has_more: true, next_offset: 2, total_count: null, returned_count: null, offset: null };
    expect(judged(page(2, empty))).toEqual({ offset: 0, total: undefined, next });
    expect(judged(page(2, { has_more: false, total_count: 0 }), { limit: 2, offset: 5 })).toEqual(
      breach('the last page ends at row 7 of 0'),
    );
  });

  test('may have as many rows as was asked for, and any number where none was', () => {
    const end = { offset: 0, total: 3, next: undefined };
    const whole = page(3, { has_more: false, total_count: 3 });
    expect(judged(whole, { limit: 3 })).toEqual(end);
    expect(judged(whole, {})).toEqual(end);
    expect(judged(whole, { limit: '2' })).toEqual(end);
  });

  test('is empty at the end of the list and behind it, nowhere else', () => {
    const empty = (total_count: number) => page(0, { has_more: false, total_count });
    expect(judged(empty(5), { offset: 5 })).toEqual({ offset: 5, total: 5, next: undefined });
    expect(judged(empty(4), { offset: 5 })).toEqual({ offset: 5, total: 4, next: undefined });
    expect(judged(empty(6), { offset: 5 })).toEqual(breach('the last page ends at row 5 of 6'));
    expect(judged(page(1, { has_more: false, total_count: 5 }), { offset: 5 })).toEqual(
      breach('the last page ends at row 6 of 5'),
    );
  });

  test('repeats no text of a service in a message', () => {
    expect(judged(page(2, { has_more: false, offset: 'evil' }))).toEqual(
      breach('rows from 0 were asked for, rows from an unreadable number came'),
    );
    expect(judged(page(2, { has_more: false, returned_count: '2' }))).toEqual(
      breach('a page says that it has an unreadable number rows and has 2'),
    );
  });

  test.each([[-1], [1.5], ['5'], [2 ** 53]])('has no total of %j', (total_count) => {
    expect(judged(page(2, { has_more: false, total_count }))).toEqual(breach('total_count is no whole number'));
  });

  test('of a partial mirror names the offset behind its own', () => {
    const part = (pagination: unknown) => ({ ...page(1, pagination), mirror: { complete: false } });
    const at = { limit: 2, offset: 4 };
    const next = { text: '6', args: { offset: 6 } };
    expect(judged(part({ has_more: true, next_offset: 6 }), at)).toEqual({ offset: 4, total: undefined, next });
    for (const pagination of [
      { has_more: true },
      { has_more: true, next_offset: 4 },
      { has_more: true, next_offset: 3 },
    ])
      expect(judged(part(pagination), at)).toEqual(breach('the page after 4 should begin behind it'));
    const last = { has_more: false, total_count: 9 };
    expect(judged(part(last), at)).toEqual({ offset: 4, total: undefined, next: undefined });
  });
});

describe('a page by position', () => {
  const step = (judge: Judge, body: unknown, question: Args = {}) =>
    outcome(() => {
      const { offset, next } = judge(cut(body), question);
      return { offset, next };
    });
  const more = (given: object, rows = 2) => ({ data: days(0, rows), has_more: true, ...given });

  test('may have a number as its cursor, which is sent back as text', () => {
    expect(step(judgePositions(SENTIMENT, 'cursor'), more({ next_cursor: 17 }))).toEqual({
      offset: 0,
      next: { text: '17', args: { since: '17' } },
    });
  });

  test.each([[''], [null], [true], [{}]])('has no cursor of %j', (next_cursor) => {
    expect(step(judgePositions(SENTIMENT, 'cursor'), more({ next_cursor }))).toEqual(
      breach('there should be more rows, but next_cursor is missing'),
    );
  });

  test.each([['17'], [-1], [0.5], [null]])('has no sequence number of %j', (next_after_sequence) => {
    expect(step(judgePositions(SENTIMENT, 'sequence'), more({ next_after_sequence }))).toEqual(
      breach('there should be more rows, but next_after_sequence is missing'),
    );
  });

  test('may give a cursor that is a smaller number than the one before: cursors have no order', () => {
    const judge = judgePositions(SENTIMENT, 'cursor');
    expect(step(judge, more({ next_cursor: '5' }), { since: '9' })).toMatchObject({ next: { text: '5' } });
  });

  test('may not lead back to where the first question began', () => {
    const judge = judgePositions(SENTIMENT, 'cursor');
    expect(step(judge, more({ next_cursor: 'a' }), { since: 'a' })).toEqual(
      breach('next_cursor leads back to a page that was read already'),
    );
  });

  test('counts its rows by either name, at the top or in pagination', () => {
    const judge = () => judgePositions(SENTIMENT, 'cursor');
    const wrong = breach('a page says that it has 3 rows and has 2');
    const rows = { data: days(0, 2), has_more: false };
    expect(step(judge(), { ...rows, count: 3 })).toEqual(wrong);
    expect(step(judge(), { ...rows, returned_count: 3 })).toEqual(wrong);
    expect(step(judge(), { ...rows, pagination: { returned_count: 3 } })).toEqual(wrong);
    expect(step(judge(), { ...rows, pagination: { count: 3 } })).toEqual(wrong);
    expect(step(judge(), { ...rows, count: '3' })).toEqual({ offset: 0, next: undefined });
  });

  test('may have as many rows as was asked for, and any number where none was', () => {
    const rows = { data: days(0, 2), has_more: false };
    const fine = { offset: 0, next: undefined };
    const judge = () => judgePositions(SENTIMENT, 'cursor');
    expect(step(judge(), rows, { limit: 2 })).toEqual(fine);
    expect(step(judge(), rows, {})).toEqual(fine);
    expect(step(judge(), rows, { limit: '1' })).toEqual(fine);
    expect(step(judge(), rows, { limit: 1 })).toEqual(breach('at most 1 rows were asked for, 2 came'));
  });

  test('without more rows needs no checkpoint, and keeps the one that was asked with', () => {
    const judge = judgePositions(SENTIMENT, 'checkpoint');
    expect(step(judge, { data: days(0, 1), has_more: false })).toEqual({ offset: 0, next: undefined });
    const asked = judgePositions(SENTIMENT, 'checkpoint');
    expect(step(asked, more({ next_cursor: 'a' }), { checkpoint: 'cp1' })).toEqual({
      offset: 0,
      next: { text: 'a', args: { cursor: 'a', checkpoint: 'cp1' } },
    });
    expect(step(asked, more({ next_cursor: 'b', checkpoint: 'cp2' }), { cursor: 'a' })).toEqual(
      moved('the pages belong to two different checkpoints'),
    );
    expect(step(judgePositions(SENTIMENT, 'checkpoint'), more({ next_cursor: 'a' }))).toEqual(
      breach('there should be more rows, but no checkpoint came'),
    );
  });

  test('sends no checkpoint where its kind has none', () => {
    const { next } = judgePositions(SENTIMENT, 'vintage')(cut(more({ next_cursor: 'a', checkpoint: 'cp1' })), {});
    expect(next?.args).toStrictEqual({ before_id: 'a' });
  });
});

describe('rows that came before', () => {
  const guard = (of: Endpoint, pages: readonly unknown[]) => {
    const check = createRepeatGuard(of);
    return outcome(() => {
      for (const body of pages) check(cut(body, of));
    });
  };
  const event = (timestamp: number, event_id: string) => ({ timestamp, event_id, currency: 'usd', indicator: 'gdp' });

  test('are known by all members of their key: one that is equal in some of them is another row', () => {
    const pages = [{ data: [event(1, 'a'), event(2, 'b')] }, { data: [event(2, 'c'), event(3, 'b')] }];
    expect(guard(CHANGES, pages)).toBeUndefined();
    expect(guard(CHANGES, [...pages, { data: [event(3, 'b')] }])).toEqual(
      moved('a row of one page came again on the next', CHANGES),
    );
  });

  test('may be of one date with other addresses', () => {
    const press = endpoint('press_releases');
    const row = (url: string) => ({ date: '2026-11-20', url });
    expect(guard(press, [{ data: [row('a'), row('b')] }, { data: [row('c')] }])).toBeUndefined();
    expect(guard(press, [{ data: [row('a'), row('b')] }, { data: [row('b')] }])).toEqual(
      moved('a row of one page came again on the next', press),
    );
  });

  test('are known by their key, whatever else of them changed', () => {
    const day = (val: number) => ({
      data: [
        { date: '2026-01-05', val },
        { date: `2026-01-0${val}`, val },
      ],
    });
    expect(guard(SENTIMENT, [day(1), day(2)])).toEqual(moved('a row of one page came again on the next'));
  });

  test('may be of one name with other keys, and of one key with other names', () => {
    const catalogue = endpoint('data_catalogue');
    const entry = (name: string) => ({ [name]: { name: 'Gross domestic product' } });
    expect(guard(catalogue, [entry('gdp'), entry('cpi')])).toBeUndefined();
    expect(guard(catalogue, [entry('gdp'), { gdp: { name: 'GDP' }, cpi: { name: 'CPI' } }])).toEqual(
      moved('a row of one page came again on the next', catalogue),
    );
  });

  test('make a page that came twice, where they are the same from the first to the last', () => {
    const dates = (...list: string[]) => ({ data: list.map((date) => ({ date })) });
    const between = dates('2026-02-01');
    expect(guard(SENTIMENT, [dates('2026-01-03', '2026-01-01'), between, dates('2026-01-03', '2026-01-01')])).toEqual(
      breach('a page came twice'),
    );
    expect(
      guard(SENTIMENT, [dates('2026-01-03', '2026-01-02'), between, dates('2026-01-03', '2026-01-01')]),
    ).toBeUndefined();
    const middle = '2026-01-02';
    expect(
      guard(SENTIMENT, [dates('2026-01-03', middle, '2026-01-01'), between, dates('2026-01-03', middle, '2025-12-31')]),
    ).toBeUndefined();
  });

  test('are none on an empty page, however often it comes', () => {
    expect(guard(SENTIMENT, [{ data: [] }, { data: [] }])).toBeUndefined();
  });
});

describe('a walk', () => {
  const refused = async (id: string, args: Args, path: string, ...bodies: readonly unknown[]) => {
    const { client } = scene(bodies.map((body, i) => ({ request: i === 0 ? path : `${path}&offset=2`, body })));
    const error = await collect(client.pages({ endpoint: endpoint(id), args })).then(
      () => undefined,
      (reason: unknown) => reason,
    );
    return outcome(() => {
      throw error;
    });
  };

  test('of an endpoint without pages may not promise more', async () => {
    const body = { sources: [{ id: 'ecb' }], pagination: { has_more: true } };
    expect(await refused('fx_sources', {}, 'GET /v1/fx/sources', body)).toEqual(
      breach('an answer that has no pages says that there are more rows', endpoint('fx_sources')),
    );
  });

  test('over another version of the data ends', async () => {
    const part = (offset: number, version: string) => ({
      data: days(offset, 2),
      currency: 'USD',
      indicator: 'inflation',
      dataset_version: version,
      pagination: { has_more: true, next_offset: offset + 2, total_count: 9 },
    });
    const args = { currency: 'USD', indicator: 'inflation', limit: 2 };
    const path = 'GET /v1/announcements/USD/inflation?limit=2';
    expect(await refused('announcements', args, path, part(0, 'v7'), part(2, 'v8'))).toEqual(
      moved('the dataset version is another one', endpoint('announcements')),
    );
  });
});

describe('a walk that is pinned', () => {
  const announcements = endpoint('announcements');
  const args = { currency: 'USD', indicator: 'inflation', limit: 2 };
  const PATH = 'GET /v1/announcements/USD/inflation?limit=2';
  const VERSION = 'ab'.repeat(32);
  const part = (offset: number, version?: string) => ({
    data: days(offset, Math.min(2, 5 - offset)),
    currency: 'USD',
    indicator: 'inflation',
    pagination: { has_more: offset < 4, total_count: 5, ...(offset < 4 && { next_offset: offset + 2 }) },
    ...(version && { dataset_version: version }),
  });

  test('stays pinned over a page that says no version', async () => {
    const { client, upstream } = scene([
      { request: PATH, body: part(0, VERSION) },
      { request: `${PATH}&offset=2&dataset_version=${VERSION}`, body: part(2) },
      { request: `${PATH}&offset=4&dataset_version=${VERSION}`, body: part(4, VERSION) },
    ]);
    expect(await collect(client.pages({ endpoint: announcements, args }))).toHaveLength(3);
    upstream.verify();
  });

  test.each([[`${VERSION}0`], [`x${VERSION}`], [VERSION.toUpperCase()]])(
    'does not send back the version %s, whether later pages repeat it or not',
    async (version) => {
      for (const later of [version, undefined]) {
        const { client, upstream } = scene([
          { request: PATH, body: part(0, version) },
          { request: `${PATH}&offset=2`, body: part(2, later) },
          { request: `${PATH}&offset=4`, body: part(4, later) },
        ]);
        await collect(client.pages({ endpoint: announcements, args }));
        upstream.verify();
      }
    },
  );
});
