import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, it } from 'vitest';
import { edit } from '../mirror/support.ts';
import { ensureBuilt, PROGRAM, runBuilt } from '../support/built.ts';
import { listeningSandbox } from '../support/listening.ts';
import { freshFolder } from '../support/platform.ts';

const rates = join(import.meta.dirname, '../../../shared/data/ecb-reference-rates.csv');

beforeAll(ensureBuilt);

const endOf = async (child: ChildProcess) => (await once(child, 'exit'))[0];

it.skipIf(!existsSync(rates))(
  'the official history of euro rates is held whole and verifies, and one altered rate is named',
  () => {
    const env = { MACRO_HOME: freshFolder() };
    const imported = runBuilt(['import', 'ecb', rates, '--fields', 'from,to', '--no-header', '--quiet'], env);
    expect(imported).toMatchObject({ status: 0, stdout: '1999-01-04\t2026-04-13\n' });
    const all = ['fx', 'eur', 'usd', '--offline', '--start', '1999-01-01', '--end', '2026-04-13', '--all', '--quiet'];
    const lines = readFileSync(rates, 'utf8').split('\n').slice(1);
    const official = lines.map((line) => line.split(',')).filter(([date, usd]) => date && usd !== 'N/A');
    const { data, pagination } = JSON.parse(runBuilt([...all, '--fields', 'date,val', '--format', 'json'], env).stdout);
    expect(data.map((row: { date: string; val: number }) => [row.date, row.val])).toEqual(
      official.map(([date, usd]) => [date, Number(usd)]),
    );
    const count = official.length;
    expect(pagination).toMatchObject({ offset: 0, has_more: false, returned_count: count, total_count: count });
    const clean = runBuilt(['mirror', 'verify', '--quiet', '--format', 'json'], env);
    expect([clean.status, JSON.parse(clean.stdout)]).toMatchObject([0, { series: 41, rows: 217_555, problems: 0 }]);
    const path = runBuilt(['mirror', 'path'], env).stdout.trim();
    edit(path, "update fx_daily set val = val * 1.01 where series = 2 and date = '2020-03-02'");
    const altered = runBuilt(['mirror', 'verify', '--no-header', '--fields', 'level,series,row,finding'], env);
    expect([altered.status, altered.stdout]).toEqual([9, 'problem\tfx eur jpy\t2020-03-02\tcolumn\n']);
  },
);

it('a backup that is made while a sync writes is a mirror that verifies', async () => {
  const { origin, answered } = await listeningSandbox();
  const folder = freshFolder();
  const [path, copy] = [join(folder, 'mirror.db'), join(folder, 'copy.db')];
  const env = { MACRO_HOME: folder, MACRO_API_KEY: 'k-test' };
  const words = 'fx eur usd, fx gbp usd, announcements usd inflation, press usd, calendar usd'.split(' ');
  const options = ['--quiet', '--mirror', path];
  const sync = spawn(process.execPath, [PROGRAM, 'sync', ...words, ...options, '--base-url', origin], { env });
  const synced = endOf(sync);
  await once(answered, 'one');
  await once(answered, 'one');
  const backup = spawn(process.execPath, [PROGRAM, 'mirror', 'backup', copy, ...options], { env });
  expect([await endOf(backup), await synced]).toEqual([0, 0]);
  for (const mirror of [path, copy]) expect(runBuilt(['mirror', 'verify', '--mirror', mirror], env).status).toBe(0);
});
