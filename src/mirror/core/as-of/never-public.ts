/** Texts and vintages that the public never knew, because the import that brought them was taken back. */
import type { KeyValue } from '../../api/rows.ts';
import type { RowVersion } from '../row-versions.ts';
import { selectionBounds, type Where } from '../select.ts';
import { quote, type Table } from '../tables.ts';
import { type KeptVintage, knownAt, listedVintages } from '../vintages.ts';
import { entryOf } from './dated-value.ts';
import type { UndoneDates } from './undone.ts';

/** The conditions of rows, for the tables that hold their texts. */
export interface UndoneConditions {
  /** The text came by a commit that was taken back; `table` is a name with a dot, or empty. */
  hidden(table: string): Where;
  /** A commit that was taken back after `commit` ended the text: the public did not see it end. */
  goesOn(commit: number): Where;
}

export function undoneConditions(table: Table, undone: readonly UndoneDates[]): UndoneConditions {
  const column = quote(windowOf(table)?.name ?? '');
  const any = (name: string, moved: 'seen' | 'superseded', some: readonly UndoneDates[]): Where => {
    const one = `(${name}${moved} >= ? and ${name}${moved} < ? and ${name}${column} >= ? and ${name}${column} <= ?)`;
    return {
      sql: some.length === 0 ? '(1 = 0)' : `(${some.map(() => one).join(' or ')})`,
      values: some.flatMap((dates) => [dates.since, dates.until, ...boundsOf(table, dates)]),
    };
  };
  return {
    hidden: (name) => any(name, 'seen', undone),
    goesOn: (commit) =>
      any(
        '',
        'superseded',
        undone.filter(({ until }) => until > commit),
      ),
  };
}

interface StoredHistory {
  readonly stages: readonly RowVersion[];
  readonly listed: readonly KeptVintage[];
}

/**
 * The history of one row as the public knew it. Walk: texts of commits that were taken back go; a text that such a commit
 * ended goes on in the one that was put in its place again; an entry that such a commit listed first belongs to the text that
 * lists it as well, and to none goes with them.
 */
export function publicHistory(table: Table, row: StoredHistory, undone: readonly UndoneDates[]): StoredHistory {
  const key = row.stages[0]?.key ?? [];
  const date = key[windowOf(table)?.at ?? 0] ?? '';
  const own = undone.filter((dates) => {
    const [from, to] = boundsOf(table, dates);
    return date >= from && date <= to;
  });
  if (own.length === 0) return row;
  const takenBack = (commit: number) =>
    own.filter(({ since, until }) => commit >= since && commit < until).sort((a, b) => b.until - a.until)[0];
  const stages: RowVersion[] = [];
  for (const version of row.stages) {
    if (takenBack(version.seen)) continue;
    const last = stages.at(-1);
    const goesOn = last?.ended !== undefined && takenBack(last.ended)?.until === version.seen;
    if (last && goesOn) stages[stages.length - 1] = { ...last, ended: version.ended };
    else stages.push(version);
  }
  return { stages, listed: row.listed.flatMap((one) => (takenBack(one.seen) ? keptIn(table, stages, one) : one)) };
}

/** The entry as the first text that lists it brought it; none where none does. */
function keptIn({ mapping }: Table, stages: readonly RowVersion[], one: KeptVintage): readonly KeptVintage[] {
  const { vintages: member } = mapping;
  if (member === undefined) return [];
  const version = stages.find(({ text }) =>
    listedVintages(member, text).some((listed) => entryOf({ ...listed, known: knownAt(listed) }) === entryOf(one)),
  );
  return version ? [{ ...one, seen: version.seen }] : [];
}

function windowOf({ key, mapping }: Table): { readonly name: string; readonly at: number } | undefined {
  const at = Math.max(
    0,
    key.findIndex(({ name }) => name === mapping.window?.column),
  );
  const column = key[at];
  return column && { name: column.name, at };
}

function boundsOf(table: Table, dates: UndoneDates): readonly [KeyValue, KeyValue] {
  const { from = dates.from, to = dates.to } = selectionBounds(table, dates);
  return [from, to];
}
