import { expect, test } from 'vitest';
import { perRows } from '../../src/derive/memory.ts';
import { loaded } from './announcements/loaded.ts';

test('what follows from rows is worked out once for the same rows and name, and anew for other rows or another name', () => {
  const remembered = perRows<string>();
  const made: string[] = [];
  const ask = (series: ReturnType<typeof loaded>, name: string) =>
    remembered(series, name, () => {
      made.push(name);
      return `${name} of ${series.rows.length}`;
    });
  const one = loaded({ endpoint: 'announcements', rows: [{ date: '2026-11-20' }] });
  const other = loaded({ endpoint: 'announcements', rows: [] });
  // The same rows in a new wrapping are the same rows.
  const told = [ask(one, 'a'), ask({ ...one }, 'a'), ask(one, 'b'), ask(other, 'a')];
  expect(told).toEqual(['a of 1', 'a of 1', 'b of 1', 'a of 0']);
  expect(made).toEqual(['a', 'b', 'a']);
});
