import { copyFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, it } from 'vitest';
import { MAPPINGS } from '../../src/endpoints/index.ts';
import { openMirror } from '../../src/mirror/sqlite/open.ts';
import { page, rate } from '../mirror/support.ts';
import { ensureBuilt } from '../support/built.ts';
import { freshFolder, testPlatform } from '../support/platform.ts';
import { startServing } from '../support/serving.ts';

beforeAll(ensureBuilt);

/** A mirror file with one rate of a service. */
async function mirrorOf(path: string, value: number, origin?: string): Promise<void> {
  const { platform } = testPlatform();
  const mirror = await openMirror({ path, mappings: MAPPINGS, platform, mode: 'write' });
  const commit = page([rate('2026-11-19', value)]);
  await mirror.commitPage(origin === undefined ? commit : { ...commit, series: { ...commit.series, origin } });
  mirror.close();
}

/** Takes a mirror away, its log included. */
function remove(path: string): void {
  for (const part of ['', '-wal', '-shm']) rmSync(`${path}${part}`, { force: true });
}

it('a server answers from the file that has the name of its mirror by now, and from none where there is none', {
  timeout: 60_000,
}, async () => {
  const home = freshFolder();
  const [path, other, foreign] = ['mirror.db', 'other.db', 'foreign.db'].map((name) => join(home, name)) as [
    string,
    string,
    string,
  ];
  await mirrorOf(path, 1.1111);
  await mirrorOf(other, 1.2222);
  await mirrorOf(foreign, 1.3333, 'https://another.example');
  writeFileSync(join(home, 'keys'), 'k individual desk\n');
  const serving = await startServing(['--mirror', path, '--open', '--metrics'], { MACRO_HOME: home });
  const ask = async () => {
    const answer = await fetch(`${serving.origin}/v1/forex/EUR/USD?start_date=2026-11-19&end_date=2026-11-19`);
    const body = await answer.text();
    const waits = answer.headers.get('retry-after') !== null;
    return [answer.status, /"val":([\d.]+)/.exec(body)?.[1], waits, (await fetch(`${serving.origin}/metrics`)).status];
  };
  try {
    const first = await ask();
    expect([first, await ask()]).toEqual([first, first]);
    expect(first).toEqual([200, '1.1111', false, 200]);
    remove(path);
    expect(await ask()).toEqual([503, undefined, true, 503]);
    copyFileSync(foreign, path);
    expect((await ask()).slice(0, 3)).toEqual([503, undefined, true]);
    remove(path);
    renameSync(other, path);
    expect([await ask(), await ask()]).toEqual([
      [200, '1.2222', false, 200],
      [200, '1.2222', false, 200],
    ]);
  } finally {
    await serving.stop();
  }
});

it('a server of an empty mirror says so, and how to fill it', { timeout: 60_000 }, async () => {
  const home = freshFolder();
  const path = join(home, 'empty.db');
  const { platform } = testPlatform();
  (await openMirror({ path, mappings: MAPPINGS, platform, mode: 'write' })).close();
  const { said, stop } = await startServing(['--mirror', path], { MACRO_HOME: home });
  await stop();
  expect(said).toContain(
    `warning: The mirror ${path} is empty: each question is answered 404. Fill it with macro sync fx eur usd or macro import FILE`,
  );
  await mirrorOf(path, 1.1111);
  const filled = await startServing(['--mirror', path], { MACRO_HOME: home });
  await filled.stop();
  expect(filled.said).not.toContain('is empty');
});
