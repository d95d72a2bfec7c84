import { execFile, execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import Database from 'better-sqlite3';
import { describe, expect, onTestFinished, test } from 'vitest';
import { textField } from '../../src/contract/mapping.ts';
import { MAPPINGS } from '../../src/endpoints/index.ts';
import { connectForWriting } from '../../src/mirror/sqlite/connect.ts';
import { mirrorFailure } from '../../src/mirror/sqlite/failures.ts';
import { openMirror } from '../../src/mirror/sqlite/open.ts';
import { SCHEMA_VERSION } from '../../src/mirror/sqlite/version.ts';
import { testPlatform } from '../support/platform.ts';
import { EURUSD, edit, held, MIDNIGHT, page, rate, sql, testMirror, texts } from './support.ts';

const rows = [rate('2026-11-20', 1.15), rate('2026-11-19', 1.16)];

function fresh() {
  const { platform, folder } = testPlatform();
  const path = join(folder, 'mirror.db');
  const open = (mode: 'write' | 'read', at = path) => openMirror({ path: at, mappings: MAPPINGS, platform, mode });
  return { folder, path, open };
}

describe('opening for writing', () => {
  test('makes the file and its folders, marked as a mirror', async () => {
    const { folder, open } = fresh();
    const path = join(folder, 'a', 'b', 'mirror.db');
    (await open('write', path)).close();
    const facts = ['application_id', 'user_version', 'journal_mode', 'page_size'].map((name) =>
      Object.values(sql(path, `pragma ${name}`)[0] ?? {}),
    );
    // 0x6d616372 is `macr`.
    expect(facts.flat()).toEqual([0x6d616372, SCHEMA_VERSION, 'wal', 16384]);
  });

  test('waits for the disk whenever the log comes into the file', () => {
    const { path } = fresh();
    const db = connectForWriting(path, { id: '0'.repeat(32), created: MIDNIGHT }, 0);
    onTestFinished(() => void db.close());
    // `normal`, as ARCHITECTURE.md says. SQLite counts from `off`, 0, with which a loss of power can damage the file.
    expect(db.pragma('synchronous', { simple: true })).toBe(1);
  });

  test('accepts an empty file, and leaves another program’s file as it is', async () => {
    const { folder, path, open } = fresh();
    writeFileSync(path, '');
    (await open('write')).close();
    const foreign = join(folder, 'foreign.db');
    edit(foreign, 'create table notes (x)');
    const before = readFileSync(foreign);
    for (const mode of ['write', 'read'] as const)
      await expect(open(mode, foreign)).rejects.toMatchObject({
        kind: 'mirror',
        message: `${foreign} is an SQLite file of another program.`,
        hint: 'Name another file with --mirror.',
      });
    expect(readFileSync(foreign)).toEqual(before);
  });

  test('says so when the folder cannot be made or the file cannot be opened', async () => {
    const { folder, open } = fresh();
    writeFileSync(join(folder, 'file'), '');
    const expected = { kind: 'mirror', hint: expect.stringContaining('--mirror') };
    await expect(open('write', join(folder, 'file', 'mirror.db'))).rejects.toMatchObject(expected);
    await expect(open('write', folder)).rejects.toMatchObject(expected);
  });

  test('by several programs at once makes one mirror', async () => {
    const { path } = fresh();
    const script = join(import.meta.dirname, 'children', 'open.ts');
    const run = async () => (await promisify(execFile)(process.execPath, [script, path])).stdout.trim();
    const ids = await Promise.all([run(), run(), run()]);
    expect(new Set(ids).size).toBe(1);
    expect(ids[0]).toMatch(/^[0-9a-f]{32}$/);
  });
});

describe('opening for reading', () => {
  test('needs a file with something in it, and says what would make one', async () => {
    const { path, open } = fresh();
    const expected = { kind: 'mirror', hint: expect.stringMatching(/macro sync.*macro import/) };
    await expect(open('read')).rejects.toMatchObject({ ...expected, message: `There is no mirror at ${path}.` });
    writeFileSync(path, '');
    await expect(open('read')).rejects.toMatchObject({ ...expected, message: `The mirror ${path} is empty.` });
  });

  test('reads everything and writes nothing', async () => {
    const { mirror, again } = await testMirror();
    await mirror.commitPage(page(rows));
    const reader = await again({ mode: 'read' });
    expect(await texts(reader)).toEqual(rows);
    for (const write of [() => reader.commitPage(page(rows)), () => reader.dropWalk(EURUSD, 'key:1')])
      await expect(write()).rejects.toMatchObject({ kind: 'mirror' });
  });
});

describe('a file that is no good', () => {
  test('no database at all', async () => {
    const { path, open } = fresh();
    writeFileSync(path, 'This is a letter, not a database.\n'.repeat(100));
    for (const mode of ['write', 'read'] as const)
      await expect(open(mode)).rejects.toMatchObject({
        kind: 'mirror',
        code: 'mirror_foreign',
        message: `The mirror ${path} is not a mirror.`,
      });
  });

  test('damaged', async () => {
    const { mirror, path, again } = await testMirror();
    const many = Array.from({ length: 2000 }, (_, i) =>
      rate(new Date(Date.UTC(2020, 0, i)).toISOString().slice(0, 10), 1),
    );
    await mirror.commitPage(page(many));
    mirror.close();
    const [at] = sql(path, "select (rootpage - 1) * 16384 as start from sqlite_schema where name = 'fx_daily'");
    const { start } = at as { start: number }; // a table that holds rows has its first page
    const bytes = readFileSync(path);
    bytes.fill(0xa5, start, start + 16384);
    writeFileSync(path, bytes);
    const damaged = await again({ mode: 'read' });
    await expect(texts(damaged)).rejects.toMatchObject({
      kind: 'mirror',
      code: 'mirror_damaged',
      message: `The mirror ${path} is damaged.`,
      hint: expect.stringContaining('--mirror'),
    });
  });

  test('written by another version, and left as it is', async () => {
    const { mirror, path, again } = await testMirror();
    mirror.close();
    const written = (age: string, version: number) =>
      `The mirror ${path} was written by ${age} version of this program (file ${version}, program ${SCHEMA_VERSION}).`;
    const newer = { code: 'mirror_newer', hint: 'Update the program, or name another file with --mirror.' };
    const older = {
      code: 'mirror_older',
      hint: 'Name a new file with --mirror, then run macro sync or macro import FILE again. First-seen times are lost.',
    };
    for (const [version, refusal] of [
      [999, { ...newer, message: written('a newer', 999) }],
      [SCHEMA_VERSION - 1, { ...older, message: written('an older', SCHEMA_VERSION - 1) }],
      [1, { ...older, message: written('an older', 1) }],
    ] as const) {
      edit(path, `pragma user_version = ${version}`);
      const before = readFileSync(path);
      for (const mode of ['write', 'read'] as const)
        await expect(again({ mode })).rejects.toMatchObject({ kind: 'mirror', ...refusal });
      expect(readFileSync(path)).toEqual(before);
    }
  });
});

describe('a table of another version', () => {
  test('gets the columns that it lacks, filled from the texts of the rows', async () => {
    const { mirror, path, again } = await testMirror();
    await mirror.commitPage(page(rows));
    await mirror.commitPage(page([rate('2026-11-20', 1.2)]));
    mirror.close();
    edit(path, 'drop view v_fx; drop view v_fx_superseded');
    edit(path, 'alter table fx_daily drop column val; alter table fx_daily_superseded drop column val');
    const reading = await again({ mode: 'read' });
    await expect(texts(reading)).rejects.toMatchObject({
      kind: 'mirror',
      hint: 'Run `macro sync` once, or `macro mirror rebuild` where nothing is tracked: it adds the missing parts.',
    });
    const writing = await again();
    const found = await writing.rows(await held(writing), {});
    expect(found.map((one) => one.columns.val)).toEqual([1.2, 1.16]);
    expect(sql(path, 'select val from fx_daily_superseded')).toEqual([{ val: 1.15 }]);
    expect(await texts(reading)).toEqual([rate('2026-11-20', 1.2), rate('2026-11-19', 1.16)]);
  });

  test('that cannot be made to fit is left alone, with the cure', async () => {
    const { mirror, again } = await testMirror();
    await mirror.commitPage(page(rows));
    mirror.close();
    const forex = MAPPINGS.forex;
    if (!forex) throw new Error('forex');
    for (const [changed, cure] of [
      [{ ...forex, key: [...forex.key, textField('source')] }, 'a new file with --mirror'],
      [{ ...forex, columns: [textField('val')] }, 'macro mirror rebuild'],
    ] as const)
      await expect(again({ mappings: { forex: changed } })).rejects.toMatchObject({
        kind: 'mirror',
        code: 'mirror_misfit',
        hint: expect.stringContaining(cure),
      });
    expect(await texts(await again())).toEqual(rows);
  });
});

describe('trouble while writing', () => {
  test('a lock that another program keeps is named after the wait, and nothing is written', async () => {
    const { mirror, path, again } = await testMirror();
    await mirror.commitPage(page(rows));
    const impatient = await again({ busyTimeout: 20 });
    const other = new Database(path);
    other.exec('begin immediate');
    await expect(impatient.commitPage(page([rate('2026-11-21', 1)]))).rejects.toMatchObject({
      kind: 'mirror',
      message: `The mirror ${path} is locked by another program.`,
      hint: expect.stringContaining('try again'),
    });
    expect(await texts(impatient)).toEqual(rows);
    other.exec('commit');
    other.close();
    expect((await impatient.commitPage(page([rate('2026-11-21', 1)]))).added).toBe(1);
  });

  test('a full disk is a mirror error', () => {
    const db = new Database(':memory:');
    db.exec('pragma max_page_count = 10; create table t (x)');
    const fill = () => db.exec('insert into t select zeroblob(100000)');
    expect(fill).toThrow();
    try {
      fill();
    } catch (error) {
      expect(mirrorFailure('m.db', error)).toMatchObject({
        kind: 'mirror',
        message: 'The mirror m.db cannot grow: the disk is full.',
        hint: expect.stringContaining('Free some space'),
      });
    }
    db.close();
  });

  test('what is no error of the driver is handed on as it is', () => {
    const error = new TypeError('x');
    expect(mirrorFailure('m.db', error)).toBe(error);
  });
});

test('the sqlite3 program reads the file', async ({ skip }) => {
  const { mirror, path } = await testMirror();
  await mirror.commitPage(page(rows));
  mirror.close();
  let out = '';
  try {
    out = execFileSync('sqlite3', [path, 'select date, val from fx_daily; pragma integrity_check'], {
      encoding: 'utf8',
    });
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') skip('no sqlite3 program here');
    throw error;
  }
  expect(out).toBe('2026-11-20|1.15\n2026-11-19|1.16\nok\n');
});
