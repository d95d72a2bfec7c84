import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { makeMirror } from '../library/small-mirror.ts';
import { ensureBuilt } from '../support/built.ts';
import { freshFolder } from '../support/platform.ts';
import { call, connected, printed } from './connected.ts';

beforeAll(ensureBuilt);

async function smallMirror(): Promise<string> {
  const path = join(freshFolder(), 'small.db');
  await makeMirror(path);
  return path;
}

describe('macro mcp over a mirror with holes', () => {
  it('says what is missing, in the data and in the text', async () => {
    const mirror = await smallMirror();
    const given = { base: 'EUR', quote: 'USD', start_date: '2026-06-01', end_date: '2026-07-03' };
    const { told, isError, sentences } = await call(await connected(mirror), 'fx', given);
    const words = ['fx', 'eur', 'usd', '--start', '2026-06-01', '--end', '2026-07-03', '--offline', '--allow-partial'];
    const body = printed(mirror, [...words, '--limit', '50']);
    expect([isError, told.answer]).toEqual([false, body]);
    expect(told.mirror).toEqual({
      complete: false,
      missing: [{ from: '2026-06-01', to: '2026-07-01' }],
      checked_at: '2026-07-06T06:00:00Z',
    });
    expect(told.answer.data.map(({ date, val }) => [date, val])).toEqual([
      ['2026-07-03', 1.25],
      ['2026-07-02', 1.5],
    ]);
    expect(sentences).toMatch(/^PARTIAL: This answer is partial. Missing in the mirror: .*2026-06-01 to 2026-07-01/);
    expect(told.synthetic).toBe(false);
  });

  it('refuses what is not held, with a hint', async () => {
    const { told, isError, sentences } = await call(await connected(await smallMirror()), 'fx', {
      base: 'GBP',
      quote: 'SEK',
    });
    expect([isError, told.error?.code, told.error?.kind]).toEqual([true, 'not_mirrored', 'notFound']);
    expect(sentences).toContain(String(told.error?.message));
    expect(told.error?.hint).not.toBeNull();
  });

  it('answers from a mirror that comes later', async () => {
    const path = join(freshFolder(), 'later.db');
    const client = await connected(path);
    const query = 'select date, val from v_fx order by date';
    expect((await call(client, 'sql', { query })).told.error?.code).toBe('no_mirror');
    await makeMirror(path);
    expect((await call(client, 'sql', { query })).told.answer.data).toEqual([
      { date: '2026-07-02', val: 1.5 },
      { date: '2026-07-03', val: 1.25 },
    ]);
  });
});

describe('macro mcp given nonsense', () => {
  it.each([
    ['fx', { base: 'EUR', quote: { a: 1 } }, 'bad_arguments'],
    ['fx', { base: 'EUR' }, 'bad_arguments'],
    ['fx', { base: 'EUR', quote: 'USD', colour: 'red' }, 'bad_arguments'],
    ['fx', { base: 'EUR', quote: 'USD', limit: 501 }, 'bad_arguments'],
    ['fx', { base: 'EUR', quote: 'USD', limit: 'ten' }, 'bad_arguments'],
    ['fx', { base: 'EUR', quote: 'USD', cursor: 'abc' }, 'bad_cursor'],
    ['fx', { base: 'EUR', quote: 'USD', as_of: 'yesterday, or so' }, 'bad_arguments'],
    ['search', { query: '   ' }, 'bad_words'],
    ['series', { endpoint: 'announcements_changes' }, 'bad_arguments'],
    ['series', { endpoint: 'cot', arguments: { output: '/tmp/x' } }, 'bad_arguments'],
    ['series', { arguments: 'usd' }, 'bad_arguments'],
    ['sql', { query: 'delete from v_fx' }, 'bad_query'],
    ['sql', { query: 'drop view v_fx' }, 'not_reading'],
    ['sql', { query: "attach 'x.db' as x" }, 'not_reading'],
    ['sql', { query: 'select 1; select 2' }, 'bad_query'],
    ['sql', { query: '-' }, 'no_query'],
    ['sql', { query: '--output=/tmp/x' }, 'bad_query'],
    ['why', { series: '--output=x', row: '--help' }, 'bad_words'],
  ])('%s %j is refused, and the next call answers', async (name, given, code) => {
    const client = await connected(await smallMirror());
    const { told, isError } = await call(client, name, given);
    expect([isError, told.error?.code, typeof told.error?.message]).toEqual([true, code, 'string']);
    expect((await call(client, 'sql', { query: 'select 1 as one' })).told.answer).toEqual({ data: [{ one: 1 }] });
  });

  it('a text that is far too long is refused', async () => {
    const client = await connected(await smallMirror());
    const { told, isError } = await call(client, 'search', { query: 'x'.repeat(20_001) });
    expect([isError, told.error?.code]).toEqual([true, 'bad_arguments']);
  });

  it('a tool that is not there is an error of the protocol', async () => {
    await expect(call(await connected(await smallMirror()), 'trade')).rejects.toMatchObject({ code: -32602 });
  });
});
