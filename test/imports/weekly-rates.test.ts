// Rates of a week that are published together.
import { describe, expect, it, onTestFinished } from 'vitest';
import { readParams } from '../../src/contract/params/read-params.ts';
import { endpointById } from '../../src/endpoints/index.ts';
import { formatNamed } from '../../src/imports/formats.ts';
import { runImport } from '../../src/imports/import.ts';
import { createMirrorSource } from '../../src/source/mirror.ts';
import { testPlatform } from '../support/platform.ts';
import { freshMirror, LABELS } from '../support/service.ts';
import { surveyOf } from './read-format.ts';

const NOW = Date.parse('2026-11-22T09:00:00Z');

/** Made-up numbers in the shape of the Board's Data Download Program: two weeks, each of which is published on a Tuesday. */
const H10 = [
  '"Series Description","AUSTRALIA -- SPOT"',
  '"Unit:","Currency:_Per_AUD"',
  '"Multiplier:","1"',
  '"Currency:","USD"',
  '"Unique Identifier: ","H10/H10/RXI$US_N.B.AL"',
  '"Time Period","RXI$US_N.B.AL"',
  ...[9, 10, 11, 12, 13, 16, 17, 18, 19, 20, 23, 24].map(
    (day) => `2024-12-${String(day).padStart(2, '0')},0.${50 + day}`,
  ),
  '',
].join('\r\n');

async function ask(id: string, query: Record<string, string>) {
  const mirror = await freshMirror(testPlatform({ now: NOW }).platform);
  onTestFinished(() => mirror.close());
  const survey = surveyOf(formatNamed('h10') ?? expect.fail('h10'), H10, { now: NOW, name: 'FRB_H10.csv' });
  await runImport({ surveys: [survey], mirror, now: NOW - 1000 });
  const endpoint = endpointById(id) ?? expect.fail(id);
  const raw = {
    path: { base: 'AUD', quote: 'USD' },
    query: { start_date: '2024-12-09', end_date: '2024-12-24', ...query },
  };
  const { args } = readParams(endpoint, raw, { mode: 'strict', now: NOW });
  const source = createMirrorSource({ mirror, labels: LABELS });
  const { body } = await source.ask({ endpoint, args }, { caller: { kind: 'owner' }, now: NOW });
  return JSON.parse(body).data;
}

describe('rates of a week that are published together', () => {
  it('are each a reference rate of its date', async () => {
    const rates = await ask('fx_reference_rates', { end_date: '2024-12-15' });
    expect(rates.map(({ date, price }: { date: string; price: number }) => [date, price])).toEqual([
      ['2024-12-09', 0.59],
      ['2024-12-10', 0.6],
      ['2024-12-11', 0.61],
      ['2024-12-12', 0.62],
      ['2024-12-13', 0.63],
    ]);
  });

  it('give the closes behind them the one of the newest date', async () => {
    // Published on Tuesday 2024-12-17 at 16:15 in New York, which is 21:15Z: London has closed by then.
    const rates = await ask('fx_session_rates', { session: 'london', order: 'date_asc' });
    const shown = rates.map(({ date, price, timestamp_utc: at }: Record<string, unknown>) => [date, price, at]);
    expect(shown.filter(([date]: [string]) => date >= '2024-12-17')).toEqual([
      ['2024-12-18', 0.63, '2024-12-17T21:15:00Z'],
      ['2024-12-19', 0.63, '2024-12-17T21:15:00Z'],
      ['2024-12-20', 0.63, '2024-12-17T21:15:00Z'],
      ['2024-12-23', 0.63, '2024-12-17T21:15:00Z'],
      ['2024-12-24', 0.63, '2024-12-17T21:15:00Z'],
    ]);
  });

  it.each(['2024-12-18', '2024-12-23', '2024-12-24'])(
    'give the close of %s whatever the window begins with',
    async (day) => {
      const rates = await ask('fx_session_rates', { session: 'london', start_date: day, end_date: day });
      expect(rates.map(({ date, price }: Record<string, unknown>) => [date, price])).toEqual([[day, 0.63]]);
    },
  );
});
