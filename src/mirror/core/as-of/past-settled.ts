import { patchRow } from '../../../contract/json/body.ts';
import { asJsonText, type JsonText } from '../../../contract/json/json.ts';
import { field, parseStoredRow } from '../columns.ts';
import type { RowVersionTuple, StoredRowVersion } from '../row-versions.ts';
import type { Table } from '../tables.ts';
import { comparable, VALUE_FIELD, type VintageTuple } from '../vintages.ts';
import { type PastMoment, saysOfNeighbours } from './past-row.ts';

/**
 * The text that a row had at a moment, where it never had another one and all that this one says was known by then: so are
 * most rows of a history, and what dating their values and choosing among them would come to is clear beforehand. Undefined
 * for every other row.
 */
export function settledText(
  table: Table,
  { texts, listed }: StoredRowVersion,
  moment: PastMoment,
): JsonText | undefined {
  const [[ended, seen, refreshed, , , , noted]] = texts;
  if (texts.length > 1 || ended !== null || !isToldBy(moment, texts[0], listed)) return undefined;
  const text = asJsonText(noted);
  if ((refreshed ?? seen) <= moment.commit) return text;
  const row = parseStoredRow(noted);
  const value = comparable(field(row, table.mapping.value ?? VALUE_FIELD));
  if (seen > moment.commit && listed.length > 0 && newestOf(listed) !== value) return undefined;
  // What a text says of its neighbours it says as of the commit that brought it.
  return saysOfNeighbours(table, row) ? patchRow(text, table.withoutDependent) : text;
}

/** Was all that a text says known by the moment? False as well where its capture would have to tell. */
function isToldBy({ by, ns, commit }: PastMoment, text: RowVersionTuple, listed: readonly VintageTuple[]): boolean {
  const [, seen, refreshed, release, assumed] = text;
  const isLate = seen > commit;
  if ((isLate && by !== 'public') || (by === 'mirrored' && (refreshed ?? seen) > commit)) return false;
  const seconds = Number(ns / 1_000_000_000n);
  for (const [, epoch, observed, came] of listed) {
    if (came !== seen || (observed !== null && BigInt(observed) > ns)) return false;
    if (epoch === null ? isLate : epoch > seconds) return false;
  }
  if (by === 'public' && haveRivals(listed)) return false;
  const published = release ?? assumed;
  return listed.length > 0 || by === 'mirrored' || (by === 'public' && published !== null && published <= seconds);
}

/** Do several values claim one publication time? */
export function haveRivals(listed: readonly VintageTuple[]): boolean {
  if (listed.length < 2) return false;
  const stated = listed.flatMap(([, epoch]) => epoch ?? []);
  return new Set(stated).size < stated.length;
}

/** The value, as comparable text, that was published last; publication times differ. */
function newestOf(listed: readonly VintageTuple[]): string | undefined {
  let newest: VintageTuple | undefined;
  for (const one of listed) if (!newest || (one[1] ?? 0) > (newest[1] ?? 0)) newest = one;
  return newest?.[4];
}
