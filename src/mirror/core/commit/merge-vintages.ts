import { patchRow } from '../../../contract/json/body.ts';
import { asJsonText, type JsonText, parseObject, toJsonText } from '../../../contract/json/json.ts';
import { memberSpans } from '../../../contract/json/scan.ts';
import { type Prepared, prepareRows, type StoredText } from '../rows.ts';
import type { Table } from '../tables.ts';
import { knownAt, type ListedVintage, listedVintages, momentOfRow } from '../vintages.ts';

/** What two files say of one row, whichever of them came first. */
export interface MergedRow {
  /** Undefined where the stored row stays as it is. */
  readonly row: Prepared | undefined;
  /** The stored row is the one that knows more. */
  readonly isOlder: boolean;
}

/**
 * Merges a row of a file into the stored one. The value is that of the newest vintage, and both lists of vintages become
 * one. So an older file adds what was known earlier, and never brings an old value back.
 */
export function mergeVintages(table: Table, row: Prepared, stored: StoredText): MergedRow {
  const before = parseObject(stored.text);
  const [moment, storedMoment] = [
    momentOfRow(table, row.row.text, { row: row.row.value, assumed: row.row.assumedRelease }),
    momentOfRow(table, stored.text, { row: before, assumed: stored.assumed ?? undefined }),
  ];
  // A row without any time is known from its import.
  const isOlder = moment > 0n && storedMoment > moment;
  const member = table.mapping.vintages;
  const [listed, kept] =
    member === undefined ? [[], []] : [row.row.text, stored.text].map((text) => listedVintages(member, text));
  if (member === undefined || !listed?.length || !kept?.length) return { row: isOlder ? undefined : row, isOlder };
  const storedText = asJsonText(stored.text);
  const [older, newer] = isOlder ? [row.row.text, storedText] : [storedText, row.row.text];
  const list = mergedList(kept, listed);
  const both = patchRow(older, { ...membersOf(newer), [member]: listText(list) });
  const text = patchRow(both, releaseMembers(table, list));
  const merged = { ...row.row, text, value: parseObject(text) };
  return { row: prepareRows(table, [merged])[0], isOlder };
}

/** A row states its release only where the first vintage of its list is that release. */
function releaseMembers(table: Table, [first]: readonly ListedVintage[]): Record<string, JsonText | undefined> {
  const column = [...table.key, ...table.columns].find(({ name }) => name === table.mapping.release);
  if (!column) return {};
  const member = column.from ?? column.name;
  return first && isRelease(first)
    ? { [member]: toJsonText(first.epoch) }
    : { [member]: undefined, publication_time_status: undefined };
}

const isRelease = ({ text }: ListedVintage): boolean => parseObject(text)[FIRST_RELEASE] === true;

const FIRST_RELEASE = 'is_first_release';

function membersOf(text: JsonText): Record<string, JsonText> {
  return Object.fromEntries(
    memberSpans(text).map(({ name, start, end }) => [name, asJsonText(text.slice(start, end))]),
  );
}

const listText = (list: readonly ListedVintage[]): JsonText =>
  asJsonText(`[${list.map(({ text }) => text).join(',')}]`);

/** Oldest first. Of one moment the file has the last word; a value that is repeated says nothing new. */
function mergedList(kept: readonly ListedVintage[], listed: readonly ListedVintage[]): readonly ListedVintage[] {
  const byMoment = new Map([...kept, ...listed].map((one) => [knownAt(one), one]));
  const sorted = [...byMoment].sort(([a], [b]) => (a < b ? -1 : Number(a > b))).map(([, one]) => one);
  const changes = sorted.filter(({ value }, place) => sorted[place - 1]?.value !== value);
  // What another file has from before was there before this first release.
  return changes.map((one, place) =>
    place > 0 && isRelease(one)
      ? { ...one, text: patchRow(asJsonText(one.text), { [FIRST_RELEASE]: undefined }) }
      : one,
  );
}
