import { copyFileSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { checkProfileName } from '../../src/cli/app/config-file.ts';
import { SANDBOX_FILE } from '../../src/sandbox/open.ts';
import { testPlatform } from '../support/platform.ts';
import { macro } from '../support/run.ts';
import { sandboxMirror, sandboxPath, serviceOver } from '../support/service.ts';

const NOW = '2026-11-20T15:00:00Z';

it('no profile has a mirror of the name that a served sandbox has', () => {
  expect(SANDBOX_FILE).toMatch(/\.db$/);
  expect(() => checkProfileName(SANDBOX_FILE.replace(/\.db$/, ''))).toThrow('cannot be the name of a profile');
});

it('a profile of a sandbox in the home of its server syncs into a file of its own, as synthetic data', async () => {
  const upstream = testPlatform({ now: NOW });
  const { fetch } = await serviceOver(await sandboxMirror(upstream.platform), upstream.platform);
  const at = testPlatform({ now: NOW, env: { MACRO_API_KEY: 'k-test' }, fetch });
  const mirrors = join(at.folder, 'macro', 'mirrors');
  mkdirSync(mirrors, { recursive: true });
  const served = join(mirrors, SANDBOX_FILE);
  copyFileSync(await sandboxPath(at.platform), served);
  const before = readFileSync(served);
  await macro('init --preset sandbox --track none --every none --completion none --yes', at);
  const synced = JSON.parse((await macro('sync catalogue usd --format json', at)).out);
  expect(synced).toMatchObject({ data: [{ series: 'catalogue usd', outcome: 'complete', requests: 1 }] });
  expect(at.platform.files.list(mirrors).filter((name) => name.endsWith('.db'))).toEqual([SANDBOX_FILE, 'sandbox.db']);
  expect(before.equals(readFileSync(served))).toBe(true);
  const { nature, data } = JSON.parse((await macro('mirror status --format json', at)).out);
  expect([nature, data.map((row: { series: string }) => row.series)]).toEqual(['synthetic', ['catalogue usd']]);
});
