import { expect, it } from 'vitest';
import { testPlatform } from '../support/platform.ts';
import { macro } from '../support/run.ts';

const LONG = 'x'.repeat(100_000);
const CUT = `${'x'.repeat(80)}… (100000 characters)`;
const ENV = { MACRO_BASE_URL: 'https://svc.example', MACRO_API_KEY: 'canary-key-99' };

it.each([
  ['', `Unknown command '${CUT}'.`],
  ['fx eur ', `'${CUT}' is no currency code for QUOTE.`],
  ['fx eur usd --limit ', `'${CUT}' is no value for --limit.`],
  ['fx eur usd --start ', `'${CUT}' is no date for --start.`],
  ['why ', 'macro why'],
  ['config set ', ''],
  ['diff --from ', `'${CUT}'`],
])('macro %s with an endless word tells its beginning', async (before, told) => {
  for (const format of ['', ' --format json']) {
    const { code, err } = await macro(`${before}${LONG}${format}`, testPlatform({ env: ENV }));
    expect([code, err.length < 2000, err]).toEqual([2, true, expect.stringContaining(told)]);
  }
});
