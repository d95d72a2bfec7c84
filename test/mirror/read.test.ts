import Database from 'better-sqlite3';
import { expect, test } from 'vitest';
import { MAPPINGS } from '../../src/endpoints/index.ts';
import { whereOf } from '../../src/mirror/rules/select.ts';
import { tableOf } from '../../src/mirror/rules/tables.ts';
import { CALENDAR, EURUSD, INFLATION, page, rate, testMirror } from './support.ts';

test('every read of a page walks the key of the table and sorts nothing', async () => {
  const { mirror, path } = await testMirror();
  const series = [EURUSD, INFLATION, CALENDAR];
  for (const key of series) await mirror.commitPage(page([], { series: key }));
  const db = new Database(path, { readonly: true });
  for (const { endpoint } of series) {
    const mapping = MAPPINGS[endpoint];
    if (!mapping) throw new Error(endpoint);
    const table = tableOf(endpoint, mapping);
    const where = whereOf(table, 1, { from: 1, to: 2, releasedBy: 3 });
    const order = table.key.map((column) => `${column.name} ${table.direction}`).join(', ');
    for (const what of [
      `count(*) from ${table.current} where ${where.sql}`,
      `text from ${table.current} where ${where.sql} order by ${order} limit 20`,
    ]) {
      const plan = db.prepare<unknown[], { detail: string }>(`explain query plan select ${what}`).all(...where.values);
      expect(plan.map((step) => step.detail)).toEqual([
        expect.stringMatching(/^SEARCH \w+ USING PRIMARY KEY \(series=\? AND \w+>\? AND \w+<\?\)$/),
      ]);
    }
  }
  db.close();
});

test('the state moves with every commit, of this program or of another, and only then', async () => {
  const { mirror, again } = await testMirror();
  const [other, reader] = [await again(), await again({ mode: 'read' })];
  const states = () => [mirror, other, reader].map((one) => one.state?.() ?? 'none');
  const start = states();
  expect(states()).toEqual(start);
  await mirror.commitPage(page([rate('2026-11-20', 1)]));
  const second = states();
  await other.startRun({ started: 5, holder: 'process 1', words: '' });
  const third = states();
  for (const i of [0, 1, 2]) {
    expect(second[i]).not.toBe(start[i]);
    expect(third[i]).not.toBe(second[i]);
  }
  expect(states()).toEqual(third);
});
