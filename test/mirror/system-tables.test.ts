import { expect, test } from 'vitest';
import { sql, testMirror } from './support.ts';

test('the system tables are those that the rules name', async () => {
  const { path } = await testMirror();
  const names = sql(
    path,
    "select name from sqlite_schema where type = 'table' and name not like 'sqlite_%' order by name",
  );
  const known = [
    ...['arrivals', 'checks', 'commits', 'consumers', 'deliveries', 'failures', 'follows', 'gaps', 'journal', 'mirror'],
    ...['proofs', 'runs', 'scopes', 'series', 'subscriptions', 'sums', 'validators', 'walks'],
  ];
  expect(names).toEqual(known.map((name) => ({ name })));
});
