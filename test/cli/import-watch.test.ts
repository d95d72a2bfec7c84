import { mkdirSync, readdirSync, renameSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { type TestPlatform, testPlatform } from '../support/platform.ts';
import { macro } from '../support/run.ts';

/** Lets the program run until something holds. */
const settled = (holds: () => boolean) =>
  vi.waitFor(() => expect(holds()).toBe(true), { timeout: 60_000, interval: 1 });

const HEAD = 'Date,USD,\n';
const FIRST = `${HEAD}2026-11-17,1.12,\n`;
const SECOND = `${HEAD}2026-11-18,1.13,\n`;

function dropFolder() {
  const at = testPlatform({ sleeping: 'waits' });
  const folder = join(at.folder, 'drop');
  mkdirSync(folder);
  const drop = (name: string, text: string) => writeFileSync(join(folder, name), text);
  return { at, folder, drop };
}

/** Begins to watch; `next` waits for the end of a look and lets the time pass until the next one. */
function watching(at: TestPlatform, options = '') {
  const ran = macro(`import --watch drop ${options}`, at);
  const resting = () => settled(() => at.clock.sleepers > 0);
  return {
    async next() {
      await resting();
      await at.clock.advance(5000);
      await resting();
    },
    async end(signal: 'SIGINT' | 'SIGTERM') {
      await resting();
      at.interrupt(signal);
      return ran;
    },
  };
}

const listed = async (at: TestPlatform) =>
  (await macro('import list --fields file,added --no-header --quiet', testPlatform({ folder: at.folder }))).out;

describe('macro import --watch', () => {
  it('imports what is dropped, once in each state, and ends with 0', async () => {
    const { at, folder, drop } = dropFolder();
    drop('first.csv', FIRST);
    const watch = watching(at);
    await watch.next();
    expect(at.out()).toBe(
      'first.csv: ecb, 1 series, 1 rows of 2026-11-17 to 2026-11-17; 1 added, 0 revised, 0 withdrawn\n',
    );
    await watch.next();
    drop('copy.csv', FIRST);
    drop('second.csv', SECOND);
    await watch.next();
    await watch.next();
    drop('second.csv', SECOND.replace('1.13', '1.14'));
    utimesSync(join(folder, 'second.csv'), 2_000_000_000, 2_000_000_000);
    await watch.next();
    await watch.next();
    const { code, err } = await watch.end('SIGTERM');
    expect(code).toBe(0);
    expect(err).toBe(`note: Watching ${folder}. Ctrl-C ends it.\n`);
    expect(at.out().split('\n').slice(1)).toEqual([
      'second.csv: ecb, 1 series, 1 rows of 2026-11-18 to 2026-11-18; 1 added, 0 revised, 0 withdrawn',
      'second.csv: ecb, 1 series, 1 rows of 2026-11-18 to 2026-11-18; 0 added, 1 revised, 0 withdrawn',
      '',
    ]);
    expect(readdirSync(folder)).toEqual(['copy.csv', 'first.csv', 'second.csv']);
  });

  it('waits until a file is whole', async () => {
    const { at, folder, drop } = dropFolder();
    drop('rates.csv', HEAD);
    drop('.rates.csv.x1', FIRST);
    drop('other.csv.part', FIRST);
    drop('empty.csv', '');
    mkdirSync(join(folder, 'sub.csv'));
    const watch = watching(at, '--format ndjson');
    await settled(() => at.clock.sleepers > 0);
    drop('rates.csv', `${HEAD}2026-11-17,1`);
    await watch.next();
    drop('rates.csv', FIRST);
    await watch.next();
    expect(at.out()).toBe('');
    await watch.next();
    renameSync(join(folder, 'other.csv.part'), join(folder, 'renamed.csv'));
    await watch.next();
    await watch.next();
    const { code, err } = await watch.end('SIGINT');
    expect([code, err.split('\n').length]).toEqual([0, 2]);
    // The renamed one has the digest of the first.
    expect(
      at
        .out()
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line)),
    ).toEqual([
      {
        ...{ format: 'ecb', file: 'rates.csv', series: 1, rows: 1, added: 1, revised: 0, vanished: 0, unchanged: 0 },
        ...{ from: '2026-11-17', to: '2026-11-17' },
      },
    ]);
  });

  it('says of a broken file what is wrong, once, and goes on', async () => {
    const { at, folder, drop } = dropFolder();
    drop('a.csv', '<!doctype html><p>Not found');
    drop('b.csv', FIRST.replace('1.12', 'oops'));
    drop('c.csv', FIRST);
    drop('d.csv', FIRST);
    const watch = watching(at);
    await settled(() => at.clock.sleepers > 0);
    rmSync(join(folder, 'd.csv'));
    await watch.next();
    await watch.next();
    drop('b.csv', FIRST.replace('1.12', '1.123'));
    await watch.next();
    await watch.next();
    const { code, err } = await watch.end('SIGTERM');
    expect([code, err.split('\n').slice(1)]).toEqual([
      0,
      [
        'warning: a.csv: Line 1 of the file cannot be imported: it is a page of the web, no file of data.',
        "warning: b.csv: Line 2 of the file cannot be imported: 'oops' is no number of USD.",
        '',
      ],
    ]);
    expect(await listed(at)).toBe('c.csv\t1\nb.csv\t0\n');
  });

  it('with --once imports what is there; what was imported before, undone or not, stays as it is', async () => {
    const { drop, folder, at } = dropFolder();
    const once = () => macro('import --watch drop --once --quiet', testPlatform({ folder: at.folder }));
    drop('first.csv', FIRST);
    drop('second.csv', SECOND);
    const { code, out, err } = await once();
    expect([code, out.split('\n').length, err]).toEqual([0, 3, '']);
    expect(await once()).toEqual({ code: 0, out: '', err: '' });
    await macro('import undo 2 --quiet', testPlatform({ folder: at.folder }));
    expect(await once()).toEqual({ code: 0, out: '', err: '' });
    writeFileSync(join(folder, 'bad.csv'), 'x');
    expect(await once()).toEqual({
      code: 2,
      out: '',
      err: expect.stringContaining('warning: bad.csv: Line 1 of the file cannot be imported'),
    });
  });

  it.each([
    ['import --watch nowhere', 'There is no folder'],
    ['import --watch drop rates.csv', 'macro import --watch takes no files'],
    ['import --once rates.csv', '--once belongs to --watch DIR'],
  ])('%s is refused', async (line, message) => {
    const { code, err } = await macro(line, dropFolder().at);
    expect([code, err]).toEqual([2, expect.stringContaining(message)]);
  });
});
