import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runBuilt } from '../../support/built.ts';
import { freshFolder } from '../../support/platform.ts';
import { type HoledMirror, serveHoled, WINDOW } from './holed-mirror.ts';

const KEY = 'explorer-key';
const QUESTION = `/v1/forex/EUR/USD?start_date=${WINDOW.start}&end_date=${WINDOW.end}`;

interface Shown {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly string[])[];
  readonly [name: string]: unknown;
}

describe('questions of the explorer', () => {
  let owner: HoledMirror;
  let keyed: HoledMirror;
  beforeAll(async () => {
    const keys = join(freshFolder(), 'keys.txt');
    writeFileSync(keys, `${KEY} individual reader\n`);
    owner = await serveHoled();
    keyed = await serveHoled(['--keys', keys]);
  });
  afterAll(() => Promise.all([owner?.serving.stop(), keyed?.serving.stop()]));

  const ask = (path: string, key?: string, { serving } = key === undefined ? owner : keyed) =>
    fetch(`${serving.origin}${path}`, { headers: key === undefined || key === '' ? {} : { 'X-API-Key': key } });

  it('lists the series that the mirror holds', async () => {
    expect(await (await ask('/pages/series')).json()).toEqual([
      {
        name: 'fx eur usd',
        group: 'fx reference rates',
        path: '/v1/forex/EUR/USD',
        hasWindow: true,
        hasPast: true,
        indicators: expect.arrayContaining(['sma_20', 'macd', 'bollinger_bands']),
        since: '2024-03-01',
      },
    ]);
  });

  it('gives the rows, notes and cure of the terminal, and says that the answer is partial', async () => {
    const response = await ask(`/pages/answer${QUESTION}`);
    const shown = (await response.json()) as Shown;
    expect(response.headers.get('x-svc-mirror')).toBe('partial');
    const { rows, columns, title, checkedAt, notes, ...told } = shown;
    const missing = [
      { from: '2024-01-01', to: '2024-02-29' },
      { from: '2024-06-29', to: '2024-12-31' },
    ];
    expect(told).toEqual({
      chart: {
        at: 'date',
        panels: [{ label: 'USD for one EUR', lines: [{ column: 'val', name: 'EUR/USD', isSteps: false }] }],
      },
      command: 'macro fx eur usd --start 2024-01-01 --end 2024-12-31 --all --offline',
      address: '/v1/forex/EUR/USD?start_date=2024-01-01&end_date=2024-12-31&limit=100',
      pages: 2,
      isSynthetic: false,
      isPartial: true,
      missing: missing.map(({ from, to }) => `${from} to ${to}`),
      missingRanges: missing,
      cure: 'Get the file of the publisher with: macro import ecb',
    });
    expect([title, checkedAt]).toEqual([
      'EUR/USD · European Central Bank · direct · mirror, imported just now',
      expect.stringMatching(/^\d{4}-.*Z$/),
    ]);
    expect(notes).toEqual(['Rates of EUR/USD are stored from 2024-03-01 on.']);
    const place = [columns.indexOf('date'), columns.indexOf('val')];
    expect(rows.map((row) => place.map((i) => row[i]))).toHaveLength(120);
    // The 120th day is 2024-06-28; trailing zeros of the file's spelling are those of the answer's.
    expect(place.map((i) => rows[0]?.[i])).toEqual(['2024-06-28', '1.05']);
  });

  it('names the window in command and address only where the reader did', async () => {
    const shown = async (query: string) => (await ask(`/pages/answer/v1/forex/EUR/USD${query}`)).json();
    expect(await shown('')).toMatchObject({
      command: 'macro fx eur usd --all --offline',
      address: '/v1/forex/EUR/USD',
    });
    const today = new Date().toISOString().slice(0, 10);
    expect(await shown(`?end_date=${today}`)).toMatchObject({
      command: `macro fx eur usd --end ${today} --all --offline`,
      address: `/v1/forex/EUR/USD?end_date=${today}`,
    });
  });

  it('names a command that writes the file of the page, byte for byte', async () => {
    const { command } = (await (await ask(`/pages/answer${QUESTION}`)).json()) as { command: string };
    const file = await ask(`/pages/answer${QUESTION}&page_view=csv`);
    expect(file.headers.get('content-type')).toBe('text/csv; charset=utf-8');
    expect(file.headers.get('content-disposition')).toBe('attachment; filename="forex-eur-usd-partial.csv"');
    const typed = runBuilt([...command.split(' ').slice(1), '--allow-partial', '--format', 'csv'], owner.env);
    expect([typed.status, await file.text()]).toEqual([0, typed.stdout]);
    const parquet = Buffer.from(await (await ask(`/pages/answer${QUESTION}&page_view=parquet`)).arrayBuffer());
    expect([parquet.subarray(0, 4), parquet.subarray(-4)].map(String)).toEqual(['PAR1', 'PAR1']);
  });

  it('shows what was known at a moment, and where a value came from', async () => {
    const past = await ask(`/pages/answer${QUESTION}&page_as_of=2024-03-05T00:00:00Z`);
    const { rows, asOf, notes } = (await past.json()) as Shown;
    expect(notes).toContain(
      'Release times here are assumed, rather late than early: a newer value may have been public already.',
    );
    expect(asOf).toBe('2024-03-05T00:00:00Z');
    expect(rows.every(([date = '']) => date < '2024-03-05')).toBe(true);
    expect(rows.length).toBeGreaterThan(0);
    const lines = (await (await ask(`/pages/answer${QUESTION}&page_view=why&page_row=2024-03-01`)).json()) as Shown[];
    expect(lines).toEqual([expect.objectContaining({ series: 'fx eur usd', date: '2024-03-01', val: 1.05 })]);
  });

  it('refuses what is not asked rightly', async () => {
    for (const [path, status] of [
      [`/pages/answer${QUESTION}&page_as_of=soon`, 400],
      [`/pages/answer${QUESTION}&page_as_of=2999-01-01`, 400],
      [`/pages/answer${QUESTION}&page_view=xlsx`, 400],
      ['/pages/answer/v1/forex/EUR/EUR', 422],
      ['/pages/answer/v1/webhooks/subscriptions', 404],
      ['/pages/answer/v1/nothing', 404],
      ['/pages/nothing', 404],
    ] as const)
      expect([path, (await ask(path)).status]).toEqual([path, status]);
  });

  it('holds to the access of its reader, and spends no quota', async () => {
    const codes = async (path: string, key: string) => {
      const response = await ask(path, key);
      return [response.status, response.headers.get('x-ratelimit-remaining')];
    };
    expect(await codes(`/pages/answer${QUESTION}`, '')).toEqual([401, null]);
    expect(await codes(`/pages/answer${QUESTION}&page_view=why&page_row=2024-03-01`, '')).toEqual([401, null]);
    expect(await codes('/pages/answer/v1/announcements/USD/cpi?page_as_of=2024-03-01', '')).toEqual([401, null]);
    const [, before] = await codes(QUESTION, KEY);
    expect(await codes(`/pages/answer${QUESTION}`, KEY)).toEqual([200, null]);
    // A new minute begins with 300 requests.
    const [status, after] = await codes(QUESTION, KEY);
    expect([status, [String(Number(before) - 1), '299'].includes(String(after))]).toEqual([200, true]);
  });

  it('describes every route at /docs without scripts', async () => {
    const text = (await (await ask('/docs')).text()).replaceAll('<wbr>', '');
    const document = (await (await ask('/openapi.json')).json()) as { paths: Record<string, unknown> };
    const paths = Object.keys(document.paths).filter((path) => path.startsWith('/v1/'));
    expect(paths.filter((path) => !text.includes(`${path}</code>`))).toEqual([]);
    expect(paths.length).toBeGreaterThan(30);
  });
});
