import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { testPlatform } from '../support/platform.ts';
import { macro } from '../support/run.ts';

const CHOOSE =
  'Choose a service with: macro init. The whole file of the publisher, where there is one: macro import FILE';

it('a question that nothing is held for names what brings it, not a sync that could ask nobody', async () => {
  const at = testPlatform();
  const hint = async (line: string) => {
    const { code, err } = await macro(`${line} --format json --quiet`, at);
    return [code, JSON.parse(err).code, JSON.parse(err).hint];
  };
  expect(await hint('fx eur usd --offline')).toEqual([3, 'no_mirror', CHOOSE]);
  writeFileSync(join(at.folder, 'rates.csv'), 'Date,USD,\n2026-11-20,1.1502,\n');
  await macro('import ecb rates.csv', at);
  expect(await hint('announcements usd inflation --offline')).toEqual([3, 'not_mirrored', CHOOSE]);
  const chosen = testPlatform({ env: { MACRO_BASE_URL: 'http://127.0.0.1:8787' } });
  const { err } = await macro('fx eur usd --offline --format json --quiet', chosen);
  expect(JSON.parse(err).hint).toContain('macro sync fx eur usd');
});

it('changes that nobody gave a beginning say that they are those of a day', async () => {
  const told = async (line: string) => (await macro(line, { env: { MACRO_BASE_URL: 'http://127.0.0.1:8787' } })).err;
  const note = 'note: These are the changes of the last 24 hours; another beginning has --since, as in: --since -7d\n';
  expect((await told('announcements changes --offline')).startsWith(note)).toBe(true);
  expect(await told('announcements changes --since -2d --offline')).not.toContain('24 hours');
});
