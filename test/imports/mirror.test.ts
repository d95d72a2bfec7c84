import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { readParams } from '../../src/contract/params/read-params.ts';
import forex from '../../src/endpoints/fx/forex.ts';
import { MAPPINGS } from '../../src/endpoints/index.ts';
import { bankOfCanada } from '../../src/imports/formats/bank-of-canada.ts';
import { ecb } from '../../src/imports/formats/ecb.ts';
import { runImport } from '../../src/imports/import.ts';
import type { Mirror } from '../../src/mirror/api/mirror.ts';
import { openMirror } from '../../src/mirror/sqlite/open.ts';
import { createMirrorSource } from '../../src/source/mirror.ts';
import { testPlatform } from '../support/platform.ts';
import { surveyOf } from './read-format.ts';

const NOW = Date.parse('2026-04-14T09:00:00Z');

async function freshMirror(): Promise<Mirror> {
  const { platform, folder } = testPlatform({ now: NOW });
  const mirror = await openMirror({ path: join(folder, 'mirror.db'), mappings: MAPPINGS, platform, mode: 'write' });
  onTestFinished(() => mirror.close());
  return mirror;
}

async function bring(mirror: Mirror, content: string | Uint8Array, now = NOW, format = ecb) {
  const [report] = await runImport({ surveys: [surveyOf(format, content, { now })], mirror, now });
  if (!report) throw new Error('no file was reported');
  return report;
}

/** Asks the mirror's source as the owner does, with arguments as typed. */
async function ask(mirror: Mirror, pair: string, query: Record<string, string> = {}, now = NOW) {
  const [base = '', quote = ''] = pair.split('/');
  const raw = { path: { base, quote }, query };
  const { args, given } = readParams(forex, raw, { mode: 'strict', now });
  const labels = { service: 'macro', storage: 'mirror', publicBaseUrl: '', subscribeUrl: '', docsUrl: '' };
  const source = createMirrorSource({ mirror, labels });
  const reply = await source.ask({ endpoint: forex, args, given }, { caller: { kind: 'owner' }, now });
  return { ...JSON.parse(reply.body), notes: reply.notes };
}

const FILE = `Date,USD,GBP,JPY,
2026-04-13,1.10,0.87058,186.75,
2026-04-10,1.1711,0.87105,N/A,
`;
const DAY = 'Date, USD, GBP, JPY, \n14 April 2026, 1.17, 0.87, 187, \n';

describe('rates of a bulk file in a mirror', () => {
  it('are answered directly, inverted and crossed', async () => {
    const mirror = await freshMirror();
    await bring(mirror, FILE);
    const values = async (pair: string) =>
      (await ask(mirror, pair)).data.map(({ date, val }: { date: string; val: number }) => [date, val]);
    expect(await values('EUR/USD')).toEqual([
      ['2026-04-13', 1.1],
      ['2026-04-10', 1.1711],
    ]);
    expect(await values('USD/EUR')).toEqual([
      ['2026-04-13', 0.909091], // 1 / 1.1 = 0.90909090...
      ['2026-04-10', 0.853898], // 1 / 1.1711 = 0.85389804...
    ]);
    expect(await values('GBP/JPY')).toEqual([['2026-04-13', 214.512164]]); // 186.75 / 0.87058
  });

  it('are not doubled, and revised only where the file has changed', async () => {
    const mirror = await freshMirror();
    await bring(mirror, FILE);
    const version = (await ask(mirror, 'EUR/USD')).dataset_version;
    expect(await bring(mirror, FILE, NOW + 1000)).toMatchObject({ added: 0, revised: 0, vanished: 0, unchanged: 5 });
    expect((await ask(mirror, 'EUR/USD')).dataset_version).toBe(version);
    expect(await bring(mirror, FILE.replace('1.1711', '1.1712'))).toMatchObject({ revised: 1, unchanged: 4 });
    const [series] = await mirror.find({ endpoint: 'forex', scope: { base: 'EUR', quote: 'USD' } });
    if (!series) throw new Error('the series is gone');
    const vintages = await mirror.vintages(series, ['2026-04-10']);
    expect(vintages.map(({ text }) => text)).toEqual([
      '{"date":"2026-04-10","val":1.1711}',
      '{"date":"2026-04-10","val":1.1712}',
    ]);
  });

  it('keep their spelling and their assumed publication time', async () => {
    const mirror = await freshMirror();
    await bring(mirror, FILE);
    const [series] = await mirror.find({ endpoint: 'forex', scope: { base: 'EUR', quote: 'USD' } });
    if (!series) throw new Error('the series is gone');
    expect((await mirror.rows(series, {})).map(({ text }) => text)[0]).toBe('{"date":"2026-04-13","val":1.10}');
    const [vintage] = await mirror.vintages(series, ['2026-04-13']);
    expect(vintage?.epoch).toBe(Date.UTC(2026, 3, 13, 14) / 1000);
  });

  it('of one more day are added, and the proof grows over both files', async () => {
    const mirror = await freshMirror();
    await bring(mirror, FILE);
    expect(await bring(mirror, DAY)).toMatchObject({ added: 3, vanished: 0, from: '2026-04-14', to: '2026-04-14' });
    const answer = await ask(mirror, 'EUR/USD', { start_date: '2026-04-10' });
    expect(answer.pagination).toMatchObject({ total_count: 3, has_more: false, page_includes_latest_available: true });
    expect(answer.notes).toEqual([]);
  });

  it('never mix with synthetic data', async () => {
    const mirror = await freshMirror();
    await mirror.commitPage({
      series: { origin: 'sandbox', endpoint: 'forex', scope: { base: 'EUR', quote: 'USD' } },
      nature: 'synthetic',
      access: 'key:x',
      request: 'fill',
      question: 'fill',
      rows: [],
      extent: 'adds',
      at: NOW,
    });
    await expect(bring(mirror, FILE)).rejects.toMatchObject({ kind: 'mirror' });
    expect(await mirror.find({ endpoint: 'forex', scope: {} })).toHaveLength(1);
  });
});

describe('how well a computed rate is known', () => {
  const about = async (mirror: Mirror, pair: string, date: string) => {
    const { data, notes } = await ask(mirror, pair, { start_date: date, end_date: date });
    return [data[0].val, notes.filter((note: string) => note.includes('digits'))];
  };
  const ONLY = (digits: string) => [
    `EUR/USD is published with so few digits that USD/EUR is known to about ${digits} only.`,
  ];

  it('counts the digits of the days around a rate whose zeros are left out: 1.15 for 1.1500', async () => {
    const mirror = await freshMirror();
    await bring(mirror, 'Date,USD,\n2026-03-18,1.15,\n2026-03-17,1.1531,\n');
    expect(await about(mirror, 'USD/EUR', '2026-03-18')).toEqual([0.869565, []]);
  });

  it('is told of a rate whose neighbours have no more digits either', async () => {
    const mirror = await freshMirror();
    await bring(mirror, 'Date,USD,\n2026-03-18,1.15,\n2026-03-17,1.1,\n');
    // 0.005 / 1.15 = 0.43 %
    expect(await about(mirror, 'USD/EUR', '2026-03-18')).toEqual([0.869565, ONLY('0.4 %')]);
  });

  it('counts the zeros that a text ends with, where no other day is held', async () => {
    const lines = readFileSync(
      join(import.meta.dirname, '../fixtures/official/boc-fx-daily-2017-01.csv'),
      'utf8',
    ).split('\n');
    // 1.3250 Canadian dollars for one US dollar.
    const day = lines.filter((line) => !/^"20/.test(line) || line.startsWith('"2017-01-11"')).join('\n');
    const mirror = await freshMirror();
    await bring(mirror, day, NOW, bankOfCanada);
    expect(await about(mirror, 'CAD/USD', '2017-01-11')).toEqual([0.754717, []]);
  });
});

const OFFICIAL = '../shared/data/ecb-reference-rates.csv';

describe.skipIf(!existsSync(OFFICIAL))('the official file in a mirror', () => {
  it('answers EUR/USD, USD/EUR and GBP/JPY of 2026-04-13 with all indicators', async () => {
    const mirror = await freshMirror();
    const report = await bring(mirror, readFileSync(OFFICIAL));
    expect(report).toMatchObject({ series: 41, revised: 0, vanished: 0, from: '1999-01-04', to: '2026-04-13' });
    expect(report.added).toBe(report.rows);
    const newest = async (pair: string) => (await ask(mirror, pair, { indicators: 'all', limit: '1' })).data[0];
    expect(await newest('EUR/USD')).toMatchObject({ date: '2026-04-13', val: 1.1684 });
    expect(await newest('USD/EUR')).toMatchObject({ date: '2026-04-13', val: 0.855871 });
    const cross = await newest('GBP/JPY');
    expect(cross).toMatchObject({ date: '2026-04-13', val: 214.512164 });
    expect(Object.values(cross)).not.toContain(null);
  });
});

describe('days behind the end of a whole file', () => {
  // The history of the publisher begins with this day, and the file has nothing behind 13 April.
  const WHOLE = 'Date,USD,GBP,JPY,\n2026-04-13,1.10,0.87,186,\n2026-04-08,1.12,0.87,186,\n1999-01-04,1.18,0.71,134,\n';
  const LATER = Date.parse('2026-05-20T09:00:00Z');
  const told = async (query: Record<string, string>, pair = 'EUR/USD') => {
    const mirror = await freshMirror();
    await bring(mirror, WHOLE);
    const { data, mirror: mark } = await ask(mirror, pair, query, LATER);
    return [data.map(({ date }: { date: string }) => date), mark?.missing];
  };
  const BOTH = ['2026-04-13', '2026-04-08'];

  it('are missing where a window ends there on a day that is over', async () => {
    const window = { start_date: '2026-04-01', end_date: '2026-04-20' };
    expect(await told(window)).toEqual([BOTH, [{ from: '2026-04-14', to: '2026-04-20' }]]);
    const ofLeg = (quote: string) => ({ series: `fx eur ${quote}`, from: '2026-04-14', to: '2026-04-20' });
    expect(await told(window, 'GBP/JPY')).toEqual([BOTH, [ofLeg('gbp'), ofLeg('jpy')]]);
    expect(await told({ ...window, end_date: '2026-04-13' })).toEqual([BOTH, undefined]);
  });

  it('are missing where a window begins there', async () => {
    expect(await told({ start_date: '2026-04-14' })).toEqual([[], [{ from: '2026-04-14', to: '2026-05-20' }]]);
    expect(await told({ start_date: '2026-04-13' })).toEqual([['2026-04-13'], undefined]);
    expect(await told({ start_date: '2026-05-21' })).toEqual([[], undefined]);
  });

  it('are missing up to now where a window has a named end, and a matter of age where it has none', async () => {
    const missing = [{ from: '2026-04-14', to: '2026-05-20' }];
    expect(await told({ start_date: '2026-04-01', end_date: '2026-12-31' })).toEqual([BOTH, missing]);
    expect(await told({ start_date: '2026-04-01', end_date: '2026-05-20' })).toEqual([BOTH, missing]);
    expect(await told({ start_date: '2026-04-01' })).toEqual([BOTH, undefined]);
  });
});
