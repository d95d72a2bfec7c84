import { copyFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { MAPPINGS } from '../../src/endpoints/index.ts';
import { openMirror } from '../../src/mirror/sqlite/open.ts';
import { TEST_NOW, testPlatform } from '../support/platform.ts';
import { macro } from '../support/run.ts';
import { sandboxPath } from '../support/service.ts';

/** Somebody who imported rates and moved to a profile afterwards. */
async function moved() {
  const at = testPlatform();
  writeFileSync(join(at.folder, 'rates.csv'), 'Date,USD,\n2026-11-20,1.1502,\n');
  await macro('import ecb rates.csv --quiet', at);
  await macro('profile add work --base-url https://svc.example --quiet', at);
  return { at, before: join(at.folder, 'macro', 'mirrors', 'default.db') };
}

const hintOf = (err: string) => JSON.parse(err.trimEnd().split('\n').at(-1) ?? '').hint;

it.each([
  ['fx eur usd --offline', 'Name one with --mirror FILE, or fill one with: macro sync fx eur usd'],
  ['fx eur usd --limit 1 --offline', 'Name one with --mirror FILE, or fill one with: macro sync fx eur usd'],
  ['mirror status', 'Fill one with macro sync fx eur usd or macro import FILE, or name one with --mirror FILE.'],
])('%s names the mirror that holds what is asked, and the option works when typed', async (line, before) => {
  const { at, before: path } = await moved();
  const { code, err } = await macro(`${line} --format json --quiet`, at);
  expect([code, hintOf(err)]).toEqual([3, `Another mirror has it: add --mirror ${path}. ${before}`]);
  expect(
    await macro(`${line} --allow-partial --mirror ${path}`.replace('status --allow-partial', 'status'), at),
  ).toMatchObject({
    code: 0,
  });
});

it('names it, too, where the own mirror holds other series, and no other one where none holds it', async () => {
  const { at, before } = await moved();
  writeFileSync(join(at.folder, 'own.csv'), 'Date,JPY,\n2026-11-20,178.2,\n');
  await macro('import ecb own.csv --quiet', at);
  const hint = async (line: string) => hintOf((await macro(`${line} --offline --format json --quiet`, at)).err);
  expect(await hint('fx eur usd')).toBe(
    `Another mirror has it: add --mirror ${before}. It needs an API key: macro auth login, then: macro sync fx eur usd`,
  );
  expect(await hint('fx eur chf')).toBe('It needs an API key: macro auth login, then: macro sync fx eur chf');
});

it('says of synthetic data that they are', async () => {
  const at = testPlatform();
  await macro('profile add work --base-url https://svc.example --quiet', at);
  at.platform.files.makeFolder(join(at.folder, 'macro', 'mirrors'));
  const path = join(at.folder, 'macro', 'mirrors', 'sandbox.db');
  copyFileSync(await sandboxPath(at.platform), path);
  const mirror = await openMirror({ path, mappings: MAPPINGS, platform: at.platform, mode: 'write' });
  await mirror.bind({ from: 'sandbox', to: 'https://svc.example', at: TEST_NOW, compared: 0, different: 0 });
  mirror.close();
  expect(hintOf((await macro('fx eur usd --offline --format json --quiet', at)).err)).toMatch(
    `Another mirror has it, as synthetic data: add --mirror ${path}. `,
  );
});

it('writes no file that was asked for, and asks nobody whom the person named a mirror to', async () => {
  const { at } = await moved();
  const { code } = await macro('fx eur usd --offline -o rates.json --quiet', at);
  expect([code, at.platform.files.exists(join(at.folder, 'rates.json'))]).toEqual([3, false]);
  const { err } = await macro('fx eur usd --offline --mirror none.db --format json --quiet', at);
  expect(hintOf(err)).not.toContain('Another mirror');
});
