import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { testPlatform } from '../support/platform.ts';
import { macro } from '../support/run.ts';

const FILE = `Date,USD,JPY,
2026-11-20,1.1502,180.12,
2026-11-19,1.15,179.9,
2026-11-13,1.14,178.0,
`;

async function imported() {
  const world = testPlatform({ now: '2026-11-21T05:46:13Z' });
  writeFileSync(join(world.folder, 'eurofxref.csv'), FILE);
  expect((await macro('import ecb eurofxref.csv', world)).code).toBe(0);
  return (line: string) => macro(line, world);
}

describe('rates of an imported file on the terminal', () => {
  it('are reference rates with an assumed time, and a person is told', async () => {
    const run = await imported();
    const { code, out, err } = await run(
      'fx reference usd eur --start 2026-11-19 --offline --allow-partial --format csv',
    );
    expect(code).toBe(0);
    const [header = '', ...lines] = out.trim().split('\n');
    expect(header.split(',').slice(0, 7).join()).toBe(
      'date,timestamp_utc,price,timestamp_type,source.id,source_pair,derivation_method',
    );
    expect(lines.map((line) => line.split(',').slice(0, 7).join())).toEqual([
      '2026-11-19,2026-11-19T15:00:00Z,0.869565,published,ecb_eurofxref_daily,EUR/USD,inverse_of_direct_pair',
      '2026-11-20,2026-11-20T15:00:00Z,0.869414,published,ecb_eurofxref_daily,EUR/USD,inverse_of_direct_pair',
    ]);
    expect(err).toContain('USD/EUR is computed from EUR/USD.');
    expect(err).toContain('16:00 in Frankfurt');
  });

  it('are session rates', async () => {
    const run = await imported();
    const { code, out } = await run(
      'fx session eurusd --session New_York --start 2026-11-17 --offline --allow-partial --format json',
    );
    expect(code).toBe(0);
    const { data, coverage } = JSON.parse(out);
    // New York closes at 22:00Z, seven hours after 16:00 in Frankfurt; the 18th still has the rate of the 13th.
    expect(
      data.map(({ date, price, staleness_minutes }: Record<string, unknown>) => [date, price, staleness_minutes]),
    ).toEqual([
      ['2026-11-17', 1.14, 420 + 4 * 1440],
      ['2026-11-18', 1.14, 420 + 5 * 1440],
      ['2026-11-19', 1.15, 420],
      ['2026-11-20', 1.1502, 420],
    ]);
    expect(coverage.staleness_minutes).toEqual({ min: 420, median: 3300, max: 7620 });
  });

  it('are no intraday rates: their times are not known', async () => {
    const run = await imported();
    const { code, err } = await run('fx intraday eur usd --offline');
    expect(code).toBe(3);
    expect(err).toContain('The mirror has nothing for fx intraday EUR USD.');
    expect(err).toContain('macro init');
  });

  it('need a session, and words that exist', async () => {
    const run = await imported();
    const none = await run('fx session eur usd --offline');
    expect([none.code, none.err.includes('--session')]).toEqual([2, true]);
    const paris = await run('fx session eur usd --session paris --offline');
    expect([paris.code, paris.err.includes('sydney')]).toEqual([2, true]);
    const long = await run('fx intraday eur usd --start-time -40d --offline');
    expect([long.code, long.err.includes('31 days')]).toEqual([2, true]);
  });
});
