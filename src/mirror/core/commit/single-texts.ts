import { parseJson } from '../../../contract/json/json.ts';
import { singleMembers } from '../../../contract/json/scan.ts';
import type { NewRow, PageCommit } from '../../api/page-commit.ts';

/**
 * The commit with texts of which every reader reads the same: a typed column is the last value of a member, and a view of
 * SQLite would show the first one.
 */
export function withSingleMembers(commit: PageCommit): PageCommit {
  // Rows of files are made here, member by member.
  if (commit.series.origin.startsWith('import:')) return commit;
  const rows = commit.rows.map(singleRow);
  const { envelope } = commit;
  const text = envelope && singleMembers(envelope.text, parseJson(envelope.text));
  const isSame = text === envelope?.text && rows.every((row, i) => row === commit.rows[i]);
  if (isSame) return commit;
  return { ...commit, rows, ...(envelope && text !== undefined && { envelope: { ...envelope, text } }) };
}

function singleRow(row: NewRow): NewRow {
  const text = singleMembers(row.text, row.value);
  return text === row.text ? row : { ...row, text };
}
