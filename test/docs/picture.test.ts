import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { testPlatform } from '../support/platform.ts';
import { macro } from '../support/run.ts';
import { styled, terminalSvg } from './terminal-svg.ts';

const root = join(import.meta.dirname, '../..');
const FIXTURE = join(root, 'test/fixtures/official/ecb-eurofxref-2026-04-13.csv');
const TITLE =
  'Real output over euro reference rates of the European Central Bank, 2026-01-16 to 2026-04-13; the clock shows the last day';

/** What is typed in the picture of the README. */
const TYPED = ['fx gbp jpy --start -60d --chart', 'fx eur usd --start 2025-12-01 --limit 3 --indicators sma_20,ema_20'];

// `npm run picture` writes it anew.
test('the picture of the README shows what the program prints', async () => {
  const world = testPlatform({
    terminal: true,
    columns: 100,
    rows: 24,
    now: '2026-04-13T16:30:00Z',
    env: { FORCE_COLOR: '1' },
  });
  copyFileSync(FIXTURE, join(world.folder, 'eurofxref.csv'));
  expect((await macro('import ecb eurofxref.csv', world)).code).toBe(0);
  const lines: string[] = [];
  for (const line of TYPED) {
    const { out, err, code } = await macro(line, world);
    const told = err.split('\n').filter((one) => one !== '');
    lines.push(styled('p', `$ macro ${line}`), ...out.trimEnd().split('\n'), '');
    lines.push(...told.map((one) => styled('e', one)), ...(code === 0 ? [] : [styled('e', `[exit ${code}]`)]), '');
  }
  await expect(terminalSvg(TITLE, lines)).toMatchFileSnapshot(join(root, 'docs/picture.svg'));
});
