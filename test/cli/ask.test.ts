import { copyFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type TestPlatformOptions, testPlatform } from '../support/platform.ts';
import { macro } from '../support/run.ts';
import { type Exchange, scriptUpstream } from '../support/upstream.ts';

const SERVICE = { MACRO_BASE_URL: 'https://svc.example', MACRO_API_KEY: 'canary-key-1' };
const WINDOW = 'start_date=2025-11-21&end_date=2026-11-21';

/** Rates of the days before 2026-11-21, newest first, spelled with digits that a parser would drop. */
function rate(i: number): string {
  const date = new Date(Date.UTC(2026, 10, 20 - i)).toISOString().slice(0, 10);
  return `{"date":"${date}","val":1.${String(1500 + i)}0,"source":{"source_pair":"EUR/USD","is_derived":false}}`;
}

function page(options: { offset: number; limit: number; total: number }): string {
  const { offset, limit, total } = options;
  const rows = Array.from({ length: Math.max(0, Math.min(limit, total - offset)) }, (_, i) => rate(offset + i));
  const more = offset + rows.length < total;
  const next = more ? `,"next_offset":${offset + rows.length}` : '';
  return `{"base":"EUR","quote":"USD","source":"ECB","provenance":{"publisher":"ECB","timestamp_field":"date","value_field":"val"},"pair_metadata":{"is_derived":false,"derivation_method":"direct_original_pair"},"start_date":"2025-11-21","end_date":"2026-11-21","weight":2.50,"dataset_version":"${'a'.repeat(64)}","pagination":{"limit":${limit},"offset":${offset},"returned_count":${rows.length},"total_count":${total},"has_more":${more}${next},"page_includes_latest_available":${offset === 0}},"data":[${rows.join(',')}]}`;
}

function world(script: readonly Exchange[], more: TestPlatformOptions = {}) {
  const upstream = scriptUpstream(script);
  return { upstream, world: testPlatform({ fetch: upstream.fetch, ...more, env: { ...SERVICE, ...more.env } }) };
}

const NEWEST: Exchange = {
  request: `GET /v1/forex/EUR/USD?${WINDOW}&limit=20&offset=0`,
  body: page({ offset: 0, limit: 20, total: 250 }),
  sent: { 'x-api-key': 'canary-key-1' },
};

const pin = `&dataset_version=${'a'.repeat(64)}`;
const PAGES: readonly Exchange[] = [0, 100, 200].map((offset) => ({
  request: `GET /v1/forex/EUR/USD?${WINDOW}&limit=100&offset=${offset}${offset === 0 ? '' : pin}`,
  body: page({ offset, limit: 100, total: 250 }),
}));

const MORE = 'note: 20 of 250 rows; --all or --limit shows more.\n';

describe('a question to the service', () => {
  it('prints its body as it is', async () => {
    const { world: at, upstream } = world([NEWEST]);
    expect(await macro('fx eur usd --format json', at)).toEqual({ code: 0, out: `${NEWEST.body}\n`, err: '' });
    upstream.verify();
  });

  it('prints rows as TSV in a pipe', async () => {
    const { world: at } = world([
      {
        ...NEWEST,
        request: `GET /v1/forex/EUR/USD?${WINDOW}&limit=2&offset=0`,
        body: page({ offset: 0, limit: 2, total: 250 }),
      },
    ]);
    expect((await macro('fx EUR/USD --limit 2', at)).out).toBe(
      'date\tval\topen\thigh\tlow\tclose\n2026-11-20\t1.15000\t\t\t\t\n2026-11-19\t1.15010\t\t\t\t\n',
    );
  });

  it('prints a table on a terminal, with source, date, age and origin', async () => {
    const { world: at } = world([NEWEST], { terminal: true, rows: 28, env: { NO_COLOR: '1' } });
    const { out } = await macro('fx eurusd', at);
    const [title, spark, blank, head, first] = out.split('\n');
    expect(title).toBe('EUR/USD  ECB  2026-11-20 (1 day old)  direct  live');
    expect(spark).toMatch(/^[▁▂▃▄▅▆▇█]{20}$/);
    expect([blank, head, first]).toEqual(['', 'date            val', '2026-11-20  1.15000']);
  });

  it.each([
    [24, 16],
    [50, 42],
    [500, 100],
  ])('on a terminal of %i lines asks for %i rows', async (rows, limit) => {
    const request = `GET /v1/forex/EUR/USD?${WINDOW}&limit=${limit}&offset=0`;
    const exchange = { ...NEWEST, request, body: page({ offset: 0, limit, total: 250 }) };
    const { world: at, upstream } = world([exchange], { terminal: true, rows, env: { NO_COLOR: '1' } });
    const { out } = await macro('fx eur usd --no-pager', at);
    expect(out.trimEnd().split('\n').at(-1)).toBe(`${limit} of 250 rows; --all or --limit shows more.`);
    upstream.verify();
  });

  it.each(['-o rates.ndjson', '--format ndjson', '--format csv', '--format tsv', ''])(
    'brings the whole window with %s, which cannot say that it is a page',
    async (form) => {
      const { world: at, upstream } = world(PAGES);
      const { code, out, err } = await macro(`fx eur usd ${form}`, at);
      upstream.verify();
      const text = form.startsWith('-o') ? readFileSync(join(at.folder, 'rates.ndjson'), 'utf8') : out;
      const lines = text.trimEnd().split('\n');
      const dates = lines.flatMap((line) => /\d{4}-\d{2}-\d{2}/.exec(line) ?? []);
      expect([code, err, dates.length, dates[0], dates.at(-1)]).toEqual([0, '', 250, '2026-11-20', '2026-03-16']);
    },
  );

  it('writes a page where somebody named how many rows', async () => {
    const request = `GET /v1/forex/EUR/USD?${WINDOW}&limit=2&offset=0`;
    const { world: at } = world([{ ...NEWEST, request, body: page({ offset: 0, limit: 2, total: 250 }) }]);
    expect(await macro('fx eur usd --limit 2 -o rates.ndjson', at)).toEqual({ code: 0, out: '', err: '' });
    expect(readFileSync(join(at.folder, 'rates.ndjson'), 'utf8')).toBe(`${rate(0)}\n${rate(1)}\n`);
  });

  it('says beside Markdown that the page is not all there is', async () => {
    const { world: at } = world([NEWEST]);
    expect((await macro('fx eur usd --format md', at)).err).toBe(MORE);
  });

  it('says nothing of further rows to who named how many', async () => {
    const request = `GET /v1/forex/EUR/USD?${WINDOW}&limit=2&offset=0`;
    const { world: at } = world([{ ...NEWEST, request, body: page({ offset: 0, limit: 2, total: 250 }) }]);
    expect((await macro('fx eur usd --limit 2 --format csv', at)).err).toBe('');
  });

  it('walks pages when more rows are wanted than fit on one', async () => {
    const { world: at, upstream } = world(PAGES);
    const { code, out } = await macro('fx eur usd --all --format json', at);
    upstream.verify();
    const body = JSON.parse(out);
    expect([code, body.data.length, body.data[0].date, body.data[249].date]).toEqual([
      0,
      250,
      '2026-11-20',
      '2026-03-16',
    ]);
    expect(body.pagination).toMatchObject({ offset: 0, has_more: false, returned_count: 250, total_count: 250 });
    expect(body.pagination).not.toHaveProperty('next_offset');
    expect(out).toContain(rate(249));
    expect(out).toContain('"weight":2.50');
  });

  it('takes pages that are longer than those of the service, and none of them overlaps another', async () => {
    const asked = (offset: number, limit: number) => `GET /v1/forex/EUR/USD?${WINDOW}&limit=${limit}&offset=${offset}`;
    const { world: at, upstream } = world([
      { request: asked(250, 100), body: page({ offset: 250, limit: 100, total: 350 }) },
    ]);
    const { code, out } = await macro('fx eur usd --page 2 --limit 250 --format json', at);
    upstream.verify();
    const body = JSON.parse(out);
    expect([code, body.data.length, body.data[0].date, body.pagination.offset]).toEqual([
      0,
      100,
      JSON.parse(rate(250)).date,
      250,
    ]);
  });

  it('shows no more rows than were asked for, though the service returns them', async () => {
    const body = page({ offset: 0, limit: 20, total: 350 });
    const { world: at, upstream } = world([{ request: `GET /v1/forex/EUR/USD?${WINDOW}&limit=10&offset=0`, body }]);
    const { code, out } = await macro('fx eur usd --limit 10 --format csv --no-header', at);
    upstream.verify();
    expect([code, out.trimEnd().split('\n').length]).toEqual([0, 10]);
  });

  it('keeps what it was told, so that the same question needs no service', async () => {
    const { world: at, upstream } = world([NEWEST]);
    const live = await macro('fx eur usd --limit 20 --fields date,val', at);
    const held = await macro('fx eur usd --limit 20 --fields date,val --offline --quiet', at);
    const allowed = await macro('fx eur usd --limit 20 --fields date,val --offline --allow-partial', at);
    upstream.verify();
    // One page of a longer window: its rows are shown, and nobody takes them for all.
    const partial = 'This answer is partial. Missing in the mirror: 2025-11-21 to 2026-10-31.';
    const cure = 'Complete it with: macro sync fx eur usd';
    expect(held).toEqual({ code: 10, out: live.out, err: `macro: ${partial}\n${cure}\n` });
    expect(allowed).toMatchObject({
      code: 0,
      out: live.out,
      err: expect.stringContaining(`warning: ${partial} ${cure}`),
    });
  });

  it('leaves no mirror behind where the service does not answer', async () => {
    const fails = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });
    const { world: at } = world([{ ...NEWEST, body: undefined, fails, times: 4 }]);
    const { code } = await macro('fx eur usd', at);
    expect([code, existsSync(join(at.folder, 'macro', 'mirrors', 'default.db'))]).toEqual([6, false]);
  });

  it('prints it where it cannot be kept, and says so; a sync asks nothing then', async () => {
    const { world: at, upstream } = world([NEWEST]);
    const file = join(at.folder, 'file');
    writeFileSync(file, '');
    const mirror = `--mirror ${join(file, 'm.db')}`;
    const reason = `Cannot make ${file}: it exists already.`;
    expect(await macro(`fx eur usd --format json ${mirror}`, at)).toEqual({
      code: 0,
      out: `${NEWEST.body}\n`,
      err: `{"level":"warning","code":"not_kept","message":"the answer is not stored. ${reason}"}\n`,
    });
    expect(await macro(`sync fx eur usd ${mirror}`, at)).toMatchObject({
      code: 2,
      err: `macro: ${reason}\nCheck the path and its permissions.\n`,
    });
    upstream.verify();
  });

  it('sends a parameter that this tool does not know', async () => {
    const { world: at, upstream } = world([{ ...NEWEST, request: `${NEWEST.request}&shape=round` }]);
    expect((await macro('fx eur usd --param shape=round --format json', at)).code).toBe(0);
    upstream.verify();
  });

  it('sends a code that the tables do not know, with a note', async () => {
    const { world: at } = world([
      {
        request: `GET /v1/forex/EUR/XYZ?${WINDOW}&limit=100&offset=0`,
        status: 422,
        body: { detail: [{ loc: ['path', 'quote'], msg: 'no such currency', type: 'enum' }] },
      },
    ]);
    const { code, err } = await macro('fx eur xyz', at);
    expect([code, err.split('\n')[0]]).toEqual([
      2,
      'note: XYZ is none of the 18 currencies known for this route. Known are AUD, BRL, CAD, CHF, CNH, CNY, DKK, EUR, GBP, ILS, JPY, NGN, NOK, NZD, PEN, SEK, THB, USD.',
    ]);
  });

  it('says what it asks under --verbose', async () => {
    const { world: at } = world([NEWEST]);
    expect((await macro('fx eur usd --format md --verbose', at)).err).toBe(`asking https://svc.example\n${MORE}`);
  });
});

describe('a question without a service', () => {
  it('contacts nobody and says in two lines what to do', async () => {
    expect(await macro('fx eur usd')).toEqual({
      code: 4,
      out: '',
      err: 'macro: No service is chosen, and the mirror has no answer.\nmacro demo shows the tool without either. Choose a service with: macro init. Official data needs none: macro import ecb\n',
    });
  });

  it('names what a mirror of files has instead', async () => {
    const at = testPlatform();
    const file = join(import.meta.dirname, '../fixtures/official/cftc-financial-2026-06.txt');
    await macro(`import ${file} --quiet`, at);
    const { code, err } = await macro('cot jpy', at);
    expect([code, err.split('\n')[0]]).toEqual([
      3,
      'macro: The mirror has nothing for cot JPY. It has: macro cot jpy --report tff_futures.',
    ]);
  });

  it('says under --live that none is chosen', async () => {
    const { code, err } = await macro('fx eur usd --live');
    expect([code, err.split('\n')[0]]).toEqual([4, 'macro: No service is chosen, so none can be asked.']);
  });

  it('is answered when the clock alone decides', async () => {
    const { code, out } = await macro('sessions --at 2026-03-09T14:00:00Z --format ndjson --fields name,is_open');
    expect([code, out]).toEqual([
      0,
      '{"name":"sydney","is_open":false}\n{"name":"tokyo","is_open":false}\n{"name":"london","is_open":true}\n{"name":"new_york","is_open":true}\n',
    ]);
  });

  it('is answered from the mirror when that can', async () => {
    const at = testPlatform();
    writeFileSync(join(at.folder, 'rates.csv'), 'Date,USD,JPY,\n2026-11-20,1.1502,178.20,\n2026-11-19,1.1490,N/A,\n');
    expect((await macro('import ecb rates.csv', at)).code).toBe(0);
    expect((await macro('fx eur usd --fields date,val --quiet', at)).out).toBe(
      'date\tval\n2026-11-20\t1.1502\n2026-11-19\t1.149\n',
    );
    expect((await macro('fx eur usd --sort val --fields val --no-header --quiet', at)).out).toBe('1.149\n1.1502\n');
    expect((await macro('fx eur usd --offset 1 --fields date --no-header --quiet', at)).out).toBe('2026-11-19\n');
    expect((await macro('fx eur usd --limit 1 --page 2 --fields date --no-header --quiet', at)).out).toBe(
      '2026-11-19\n',
    );
  });

  it('says when the file was imported, and how many rows there are', async () => {
    const at = testPlatform({ terminal: true, env: { NO_COLOR: '1' } });
    writeFileSync(join(at.folder, 'rates.csv'), 'Date,USD,\n2026-11-20,1.1502,\n2026-11-19,1.1490,\n');
    await macro('import ecb rates.csv', at);
    await at.clock.advance(3 * 86_400_000);
    const lines = (await macro('fx eur usd --offline --limit 1', at)).out.trimEnd().split('\n');
    expect(lines.slice(0, 2)).toEqual([
      'EUR/USD  European Central Bank  2026-11-20 (4 days old)  direct',
      'mirror, imported 3 days ago',
    ]);
    expect(lines[2]).toBe('PARTIAL, without 2025-11-24 to 2026-11-18, 2026-11-21 to 2026-11-24');
    expect(lines.at(-1)).toBe('1 of 2 rows; --all or --limit shows more.');
  });

  it('is exit 10 with --all where nothing shows that these are all rows', async () => {
    const at = testPlatform();
    writeFileSync(join(at.folder, 'rates.csv'), 'Date,USD,\n2026-11-20,1.1502,\n2026-11-19,1.1490,\n');
    await macro('import ecb rates.csv', at);
    const rows = '2026-11-20\n2026-11-19\n';
    const all = 'fx eur usd --offline --all --fields date --no-header --quiet';
    expect(await macro(`${all} --start 2026-11-19 --end 2026-11-20`, at)).toEqual({ code: 0, out: rows, err: '' });
    expect(await macro(`${all} --start 2026-11-01 --end 2026-11-20`, at)).toEqual({
      code: 10,
      out: rows,
      err:
        'macro: This answer is partial. Missing in the mirror: 2026-11-01 to 2026-11-18.\n' +
        'Get the file of the publisher with: macro import ecb\n',
    });
  });

  it('is exit 3 offline, with the words that would fill the mirror', async () => {
    const at = testPlatform({ env: { MACRO_BASE_URL: 'http://127.0.0.1:8787' } });
    writeFileSync(join(at.folder, 'rates.csv'), 'Date,USD,\n2026-11-20,1.1502,\n');
    await macro('import ecb rates.csv', at);
    const { code, err } = await macro('announcements usd inflation --offline', at);
    expect([code, err]).toEqual([
      3,
      'macro: The mirror has nothing for announcements USD inflation.\nFill it with: macro sync announcements usd inflation\n',
    ]);
  });

  it('names what lists the words that the service has, beside the guess', async () => {
    const body = JSON.stringify({ detail: "Unknown indicator 'nope' for USD.", code: 'unknown_indicator' });
    const fetch = async () => new Response(body, { status: 404, headers: { 'content-type': 'application/json' } });
    const at = testPlatform({ fetch, env: { MACRO_BASE_URL: 'http://127.0.0.1:8787' } });
    const { code, err } = await macro('announcements usd nope --live --quiet', at);
    expect([code, err]).toEqual([
      3,
      "macro: Unknown indicator 'nope' for USD.\n" +
        'nope is none of the 94 indicators known for this route. macro search nope lists similar names. See which words exist: macro catalogue USD\n',
    ]);
  });

  it('does not doubt a word outside the tables that the mirror holds', async () => {
    const at = testPlatform();
    writeFileSync(join(at.folder, 'rates.csv'), 'Date,PLN,\n2026-11-20,4.2543,\n');
    await macro('import ecb rates.csv', at);
    expect(
      await macro('fx eur pln --offline --start 2026-11-20 --end 2026-11-20 --fields date,val --format csv', at),
    ).toEqual({
      code: 0,
      out: 'date,val\n2026-11-20,4.2543\n',
      err: '',
    });
    const { out, err } = await macro('fx eur pln --offline --start 2026-11-21 --format csv --no-header', at);
    expect(out).toBe('');
    expect(err).not.toContain('PLN is none of the currencies');
  });

  it('names the series that are stored, where the list of them is not', async () => {
    const at = testPlatform({ now: '2026-11-27T09:00:00Z' });
    writeFileSync(join(at.folder, 'A.csv'), 'd,v\n2026-10-31,1\n');
    const command = "import csv A.csv --as 'announcements usd gdp' --date d --value v";
    expect((await macro(command, at)).code).toBe(0);
    const { code, err } = await macro('catalogue usd --offline', at);
    expect(code).toBe(3);
    expect(err).toContain('The mirror has nothing for catalogue USD. It has: macro announcements usd gdp.');
  });

  it('names the report that the mirror has, where another one is asked for', async () => {
    const at = testPlatform({ now: '2026-07-01T09:00:00Z' });
    const file = 'cftc-financial-2026-06.txt';
    copyFileSync(join(import.meta.dirname, '../fixtures/official', file), join(at.folder, file));
    expect((await macro(`import ${file}`, at)).code).toBe(0);
    const { code, err } = await macro('cot jpy --offline', at);
    expect(code).toBe(3);
    expect(err).toContain('The mirror has nothing for cot JPY. It has: macro cot jpy --report tff_futures.');
    expect((await macro('cot jpy --report tff_futures --offline --allow-partial --start 2026-06-01', at)).code).toBe(0);
    // The asked report is there too, with rows of another year.
    const legacy = readFileSync(join(import.meta.dirname, '../fixtures/official/cftc-legacy-2025-01.txt'), 'utf8');
    const yen = legacy.replaceAll('GOLD - COMMODITY EXCHANGE INC.', 'JAPANESE YEN - CHICAGO MERCANTILE EXCHANGE');
    writeFileSync(join(at.folder, 'legacy.txt'), yen.replaceAll(',088691,', ',097741,'));
    expect((await macro('import cftc-legacy legacy.txt', at)).code).toBe(0);
    const empty = await macro('cot jpy --offline', at);
    expect([empty.code, empty.err]).toEqual([
      10,
      expect.stringContaining('The mirror also has: macro cot jpy --report tff_futures.'),
    ]);
    const { err: notes } = await macro('cot jpy --offline --start 2025-01-01', at);
    expect(notes).not.toContain('also has');
  });

  it('guesses the word that was meant, offline', async () => {
    const at = testPlatform();
    writeFileSync(join(at.folder, 'rates.csv'), 'Date,USD,\n2026-11-20,1.1502,\n');
    await macro('import ecb rates.csv', at);
    const { code, err } = await macro('fx eru usd --offline --format json --quiet', at);
    expect([code, JSON.parse(err)]).toMatchObject([
      3,
      {
        kind: 'notFound',
        hint: 'ERU is none of the 18 currencies known for this route. Did you mean EUR?',
        status: 404,
      },
    ]);
  });
});

describe('without a mirror', () => {
  it.each([
    ['fx eur usd', 'macro sync fx eur usd'],
    ['announcements latest usd inflation', 'macro sync announcements usd inflation'],
    [
      'differential eur usd --as-of 2026-11-01',
      'macro sync announcements eur, announcements usd, catalogue eur, catalogue usd',
    ],
    ['curve usd --date 2026-11-01', 'macro sync announcements usd, curve usd, catalogue usd'],
  ])('%s --offline names what fills one', async (line, words) => {
    const at = testPlatform({ env: { MACRO_BASE_URL: 'http://127.0.0.1:8787' } });
    const { code, out, err } = await macro(`${line} --offline`, at);
    const path = join(at.folder, 'macro', 'mirrors', 'default.db');
    const told = `macro: There is no mirror at ${path}.\nName one with --mirror FILE, or fill one with: ${words}\n`;
    expect([code, out, err]).toEqual([3, '', told]);
  });
});
