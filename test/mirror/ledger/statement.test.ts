import { expect, it } from 'vitest';
import { POSTGRES, SQLITE } from '../../../src/mirror/statements/dialects.ts';
import {
  boundValues,
  executeAsync,
  executeSync,
  type LedgerDialect,
  type LedgerStep,
  type LedgerWork,
  onlyRow,
  statement,
} from '../../../src/mirror/statements/statement.ts';

const eventsBy = statement(
  ({ query, isAmong }, { after, currencies }: { after: number; currencies?: readonly string[] | undefined }) => {
    const all = query.selectFrom('journal').select('position').where('position', '>', after);
    return currencies ? all.where(isAmong('currency', currencies)) : all;
  },
);

const move = statement(({ query }, { name, position }: { name: string; position: number }) =>
  query.updateTable('consumers').set({ position, moved_at: 7 }).where('name', '=', name).returning('position'),
);

/** The text of the one statement of a work, and its parameters. */
function told(work: LedgerWork<unknown>, dialect: LedgerDialect): readonly [string, readonly unknown[]] {
  const step: LedgerStep = work.next().value as LedgerStep; // no work of these is done at once
  const compiled = step.compiledFor(dialect);
  return [compiled.sql, boundValues(step, compiled, dialect)];
}

it('a statement is spelled for each dialect, with its values and constants in their places', () => {
  expect(told(move({ name: 'desk', position: 3 }), SQLITE)).toEqual([
    'update "consumers" set "position" = ?, "moved_at" = ? where "name" = ? returning "position"',
    [3, 7, 'desk'],
  ]);
  expect(told(move({ position: 4, name: 'other' }), POSTGRES)).toEqual([
    'update "consumers" set "position" = $1, "moved_at" = $2 where "name" = $3 returning "position"',
    [4, 7, 'other'],
  ]);
});

it('a list is one value of any length, as each driver takes it', () => {
  expect(told(eventsBy({ after: 2, currencies: ['eur', 'usd'] }), SQLITE)).toEqual([
    'select "position" from "journal" where "position" > ? and "currency" in (select value from json_each(?))',
    [2, '["eur","usd"]'],
  ]);
  expect(told(eventsBy({ after: 2, currencies: [] }), POSTGRES)).toEqual([
    'select "position" from "journal" where "position" > $1 and "currency" = any($2)',
    [2, []],
  ]);
});

it('a value that is undefined or left out is no part of the statement, before and after it was one', () => {
  const plain = ['select "position" from "journal" where "position" > ?', [2]];
  expect(told(eventsBy({ after: 2 }), SQLITE)).toEqual(plain);
  expect(told(eventsBy({ after: 2, currencies: ['usd'] }), SQLITE)[1]).toEqual([2, '["usd"]']);
  expect(told(eventsBy({ after: 2, currencies: undefined }), SQLITE)).toEqual(plain);
});

it('a form of a statement is built once a dialect', () => {
  const built: string[] = [];
  const counted = statement(({ query, name }, { id }: { id: number; note?: string }) => {
    built.push(name);
    return query.selectFrom('gaps').selectAll().where('id', '=', id);
  });
  for (const id of [1, 2]) for (const dialect of [SQLITE, POSTGRES]) told(counted({ id }), dialect);
  told(counted({ id: 3, note: 'x' }), SQLITE);
  expect(built).toEqual(['sqlite', 'postgres', 'sqlite']);
});

it('an operation is given the rows of each statement, at once or later', async () => {
  function* work(): LedgerWork<string> {
    const first = yield* move({ name: 'a', position: 1 });
    const { position } = onlyRow(yield* move({ name: 'b', position: 2 }));
    return `${first.length} ${position}`;
  }
  const answers = () => [[{ position: 8 }, { position: 8 }], [{ position: 9 }]];
  const [now, later] = [answers(), answers()];
  expect(executeSync(work(), () => now.shift() ?? [])).toBe('2 9');
  expect(await executeAsync(work(), async () => later.shift() ?? [])).toBe('2 9');
  expect(() => executeSync(work(), () => [])).toThrow('A statement of the ledger gave no row.');
});
