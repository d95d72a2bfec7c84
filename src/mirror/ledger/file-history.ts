/** The commits of files, and the rows that were there before one of them. Both engines run these texts. */
import { asJsonText, readJson } from '../../contract/json/json.ts';
import { MacroError } from '../../errors.ts';
import type { EarlierRows, FileCommit, FileHistory } from '../api/file-history.ts';
import type { KeyValue } from '../api/rows.ts';
import { parseStoredRow } from '../core/columns.ts';
import { type Where, whereOf } from '../core/select.ts';
import { wholeText } from '../core/short-text.ts';
import type { Table } from '../core/tables.ts';
import { FILE_ACCESS } from './certain.ts';

type Tuple = [number, number, string, number, number, number, string, string, string];

const COMMITS: Where = {
  sql: `select number, at, request, added, revised, vanished, endpoint, scope, origin
    from commits join series on series.id = commits.series where access = ? order by number`,
  values: [FILE_ACCESS],
};

/** How an engine reads rows as lists of columns, and the tables that it has. */
export interface FileHistoryReads {
  all<Row extends unknown[]>(select: Where): Promise<readonly Row[]>;
  readonly table: (endpoint: string) => Table | undefined;
}

export function createFileHistory({ all, table: tableFor }: FileHistoryReads): FileHistory {
  return {
    fileCommits: async () => (await all<Tuple>(COMMITS)).map(fileCommitOf),
    rowsBefore: async (series, window, commit) => {
      const table = tableFor(series.endpoint);
      if (!table) throw new MacroError('internal', `The mirror keeps no rows of '${series.endpoint}'.`);
      const { rows, later } = beforeSelects(table, whereOf(table, series.id, window), commit);
      const [counted] = await all<[number]>(later);
      return { rows: (await all<[string, number | null]>(rows)).map(earlierRow), later: Number(counted?.[0] ?? 0) };
    },
  };
}

function fileCommitOf([number, at, request, added, revised, vanished, ...name]: Tuple): FileCommit {
  const [endpoint, scope, origin] = name;
  return { number, at, request, added, revised, vanished, series: { endpoint, scope: readJson(scope), origin } };
}

function beforeSelects(table: Table, { sql, values }: Where, commit: number) {
  const { superseded, current } = table;
  const bound = (...more: readonly KeyValue[]): readonly KeyValue[] => [...values, ...more];
  return {
    rows: {
      sql: `select ${wholeText(table)}, assumed_release from ${superseded} where ${sql} and seen < ? and superseded >= ?`,
      values: bound(commit, commit),
    },
    later: { sql: `select count(*) from ${current} where ${sql} and seen >= ?`, values: bound(commit) },
  };
}

function earlierRow([rowText, assumed]: [string, number | null]): EarlierRows['rows'][number] {
  const text = asJsonText(rowText);
  return { text, value: parseStoredRow(rowText), ...(assumed !== null && { assumedRelease: assumed }) };
}
