import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { expect, test } from 'vitest';
import { compactMirror } from '../../../src/mirror/sqlite/compact.ts';
import { freshFolder } from '../../support/platform.ts';
import { edit, page, sql, testMirror } from '../support.ts';

async function roomy() {
  const { mirror, path } = await testMirror();
  const rows = Array.from({ length: 500 }, (_, i) => `{"date":"d${1000 + i}","val":1,"note":"${'x'.repeat(2000)}"}`);
  await mirror.commitPage(page(rows));
  edit(path, 'create table room as select text from fx_daily; drop table room');
  return { mirror, path };
}

test('gives room back and leaves what is held as it was', async () => {
  const { mirror, path } = await roomy();
  const before = await mirror.verify();
  const report = compactMirror(path);
  expect(report.after).toBeLessThan(report.before);
  expect(await mirror.verify()).toEqual(before);
});

test('is refused of a damaged file, which it would write anew without what cannot be read', async () => {
  const { mirror, path } = await roomy();
  mirror.close();
  const bytes = readFileSync(path);
  bytes.fill(0xff, bytes.length / 2, bytes.length / 2 + 100_000);
  writeFileSync(path, bytes);
  expect(() => compactMirror(path)).toThrow(expect.objectContaining({ kind: 'mirror', code: 'mirror_damaged' }));
  expect(readFileSync(path)).toEqual(bytes);
});

test('of an empty file says that it is empty', () => {
  const path = join(freshFolder(), 'mirror.db');
  writeFileSync(path, '');
  expect(() => compactMirror(path)).toThrow(expect.objectContaining({ code: 'mirror_absent' }));
});

test('is refused while another program writes', async () => {
  const { path } = await roomy();
  const other = new Database(path);
  other.exec('begin immediate');
  expect(() => compactMirror(path)).toThrow(expect.objectContaining({ kind: 'busy', code: 'mirror_busy' }));
  other.close();
});

test('is done while another program reads', async () => {
  const { path } = await roomy();
  const other = new Database(path, { readonly: true });
  other.exec('begin');
  other.prepare('select * from series').all();
  compactMirror(path);
  expect(other.prepare('select count(*) from fx_daily').pluck().get()).toBe(500);
  other.close();
});

test('of a backup that is used as a mirror leaves a mirror that is read while it is written', async () => {
  const { mirror, path } = await roomy();
  mirror.close();
  edit(path, 'pragma journal_mode = delete');
  const { before, after } = compactMirror(path);
  expect(after).toBeLessThan(before);
  expect(sql(path, 'pragma journal_mode')).toEqual([{ journal_mode: 'wal' }]);
});

test('is refused while another program reads a backup that is used as a mirror', async () => {
  const { mirror, path } = await roomy();
  mirror.close();
  edit(path, 'pragma journal_mode = delete');
  const other = new Database(path, { readonly: true });
  other.exec('begin');
  other.prepare('select * from series').all();
  expect(() => compactMirror(path)).toThrow(expect.objectContaining({ kind: 'busy', code: 'mirror_busy' }));
  other.close();
});
