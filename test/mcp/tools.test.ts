import { beforeAll, describe, expect, it } from 'vitest';
import { ensureBuilt } from '../support/built.ts';
import { testPlatform } from '../support/platform.ts';
import { fullSandboxPath, SANDBOX_NOW } from '../support/serving.ts';
import { call, connected, printed } from './connected.ts';

let sandbox = '';
beforeAll(async () => {
  await ensureBuilt();
  sandbox = await fullSandboxPath(testPlatform({ now: SANDBOX_NOW }).platform);
}, 120_000);

const WINDOW = { start_date: '2026-01-01', end_date: '2026-11-19' };
const WORDS = ['--start', '2026-01-01', '--end', '2026-11-19', '--offline'];

describe('the tools of macro mcp', () => {
  it('are listed with what they take and give', async () => {
    const { tools } = await (await connected(sandbox)).listTools();
    expect(tools.map(({ name, inputSchema }) => [name, inputSchema.required])).toEqual([
      ['search', ['query']],
      ['latest', ['currency']],
      ['series', []],
      ['calendar', ['currency']],
      ['fx', ['base', 'quote']],
      ['compare', ['currencies', 'indicator']],
      ['why', ['series', 'row']],
      ['sql', ['query']],
    ]);
    expect(tools.every(({ outputSchema, annotations }) => outputSchema && annotations?.readOnlyHint)).toBe(true);
  });

  it.each([
    ['search', { query: 'usd cpi' }, ['search', 'usd', 'cpi', '--limit', '1000']],
    ['latest', { currency: 'usd', limit: 500 }, ['announcements', 'latest', 'usd', '--offline']],
    [
      'series',
      { arguments: { currency: 'USD', indicator: 'inflation', ...WINDOW }, limit: 500 },
      ['announcements', 'usd', 'inflation', ...WORDS, '--limit', '500'],
    ],
    [
      'series',
      { arguments: { currency: 'USD', indicator: 'inflation' }, as_of: '2026-08-01', limit: 500 },
      ['announcements', 'usd', 'inflation', '--as-of', '2026-08-01', '--offline', '--limit', '500'],
    ],
    [
      'series',
      { endpoint: 'cot', arguments: { currency: 'EUR', ...WINDOW }, limit: 500 },
      ['cot', 'eur', ...WORDS, '--limit', '500'],
    ],
    [
      'series',
      { endpoint: 'data_catalogue', arguments: { currency: 'EUR' }, limit: 500 },
      ['catalogue', 'eur', '--offline'],
    ],
    ['calendar', { currency: 'usd', ...WINDOW, limit: 500 }, ['calendar', 'usd', ...WORDS]],
    [
      'fx',
      { base: 'EUR', quote: 'USD', indicators: ['sma_20'], ...WINDOW, limit: 500 },
      ['fx', 'eur', 'usd', '--indicators', 'sma_20', ...WORDS, '--limit', '500'],
    ],
    [
      'compare',
      { currencies: 'usd,eur', indicator: 'inflation', ...WINDOW },
      ['compare', 'usd,eur', 'inflation', ...WORDS],
    ],
    [
      'compare',
      { currencies: ['usd', 'gbp'], indicator: 'inflation', start_date: '2025-12-01', as_of: '2026-08-01' },
      ['compare', 'usd,gbp', 'inflation', '--start', '2025-12-01', '--as-of', '2026-08-01', '--offline'],
    ],
    ['why', { series: 'eur/usd', row: '2026-11-19' }, ['why', 'eur/usd', '2026-11-19']],
    [
      'sql',
      { query: 'select date, val, base from v_fx where base = :b order by date limit 3', bind: { b: 'EUR' } },
      ['sql', 'select date, val, base from v_fx where base = :b order by date limit 3', '--bind', 'b=EUR'],
    ],
  ] as const)('%s answers what the command line prints: %j', async (name, given, words) => {
    const client = await connected(sandbox);
    await client.listTools(); // the client checks results against these schemas
    const { told, isError, sentences, data } = await call(client, name, given);
    expect(isError).toBe(false);
    expect(told.answer).toEqual(printed(sandbox, words));
    expect(JSON.parse(data)).toEqual(told);
    const isJudged = !['search', 'why', 'sql'].includes(name);
    expect(told.mirror.complete).toBe(isJudged ? true : null);
    expect([told.synthetic, sentences.includes('SYNTHETIC')]).toEqual(
      name === 'search' ? [false, false] : [true, true],
    );
    expect(told.as_of).toBe('as_of' in given ? given.as_of : null);
  });

  it.each([
    ['fx', { base: 'EUR', quote: 'USD', ...WINDOW }, ['fx', 'eur', 'usd', ...WORDS, '--all']],
    ['calendar', { currency: 'USD', ...WINDOW }, ['calendar', 'usd', ...WORDS]],
    [
      'sql',
      { query: 'select date, val from v_fx order by date desc, val limit 90' },
      ['sql', 'select date, val from v_fx order by date desc, val limit 90'],
    ],
  ] as const)('%s goes on where a result ends', async (name, given, words) => {
    const client = await connected(sandbox);
    const rows: unknown[] = [];
    let cursor: string | null = null;
    do {
      const { told } = await call(client, name, { ...given, limit: 40, ...(cursor !== null && { cursor }) });
      expect(told.page.offset).toBe(rows.length);
      rows.push(...told.answer.data);
      cursor = told.page.next_cursor;
    } while (cursor !== null);
    expect(rows).toEqual(printed(sandbox, words).data);
    expect(rows.length).toBeGreaterThan(80);
  });

  it('refuse the cursor of another question', async () => {
    const client = await connected(sandbox);
    const { told } = await call(client, 'fx', { base: 'EUR', quote: 'USD', ...WINDOW, limit: 1 });
    const cursor = String(told.page.next_cursor);
    const other = await call(client, 'fx', { base: 'EUR', quote: 'JPY', ...WINDOW, limit: 1, cursor });
    expect([other.isError, other.told.error?.code]).toEqual([true, 'bad_cursor']);
  });

  it('keep every digit of a number', async () => {
    const { data } = await call(await connected(sandbox), 'sql', { query: 'select 9007199254740993 as whole' });
    expect(data).toContain('{"data":[{"whole":9007199254740993}]}');
  });
});

describe('the resources of macro mcp', () => {
  it('are the endpoints, what is held, catalogues and documents', async () => {
    const client = await connected(sandbox);
    const { resources } = await client.listResources();
    const uris = resources.map(({ uri }) => uri);
    expect(uris.slice(0, 2)).toEqual(['macro://endpoints', 'macro://stored']);
    expect(uris).toContain('macro://docs/point-in-time.md');
    const textOf = async (uri: string) => {
      const [found] = (await client.readResource({ uri })).contents;
      return found && 'text' in found ? found.text : '';
    };
    expect(JSON.parse(await textOf('macro://catalogue/eur'))).toEqual(
      printed(sandbox, ['catalogue', 'eur', '--offline']),
    );
    expect(JSON.parse(await textOf('macro://stored'))).toEqual(printed(sandbox, ['mirror', 'status']));
    expect(await textOf('macro://docs/point-in-time.md')).toMatch(/^# /);
    expect(JSON.parse(await textOf('macro://endpoints'))).toContainEqual(
      expect.objectContaining({ endpoint: 'cot', required: ['currency'] }),
    );
    await expect(client.readResource({ uri: 'macro://docs/../package.json' })).rejects.toMatchObject({ code: -32602 });
  });
});
