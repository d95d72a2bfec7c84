import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { testPlatform } from '../support/platform.ts';
import { macro } from '../support/run.ts';

it.each([
  ['the last day of the file', '', '2026-04-01T12:00:00Z'],
  ['the same with an end', '--end 2026-04-01', '2026-04-05T12:00:00Z'],
])('no close behind the file has a rate: %s', async (_, options, now) => {
  const at = testPlatform({ now });
  const lines = ['2026-03-27,1.1517,', '2026-03-26,1.1500,', '1999-01-04,1.1789,'];
  writeFileSync(join(at.folder, 'eurofxref-hist.csv'), ['Date,USD,', ...lines, ''].join('\n'));
  expect((await macro('import eurofxref-hist.csv', at)).code).toBe(0);
  const line = `fx session eur usd --session london --offline --start 2026-03-26 --format csv --fields date,price ${options}`;
  const { code, out, err } = await macro(line, at);
  expect([code, out]).toEqual([10, 'date,price\n2026-03-26,1.15\n2026-03-27,1.1517\n']);
  // A Saturday and a Sunday have no close.
  expect(err).toMatch(/fx eur usd 2026-03-(28|30) to 2026-04-01/);
});
