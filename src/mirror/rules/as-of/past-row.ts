import { patchRow } from '../../../contract/json/body.ts';
import {
  asJsonText,
  type Json,
  type JsonObject,
  type JsonText,
  parseJson,
  toJsonText,
} from '../../../contract/json/json.ts';
import { memberSpans } from '../../../contract/json/scan.ts';
import type { AsOf, Availability } from '../../../contract/time/moments.ts';
import { AMBIGUOUS, stepAt, stepsOf } from '../../../contract/time/vintages.ts';
import type { KeyValue, StoredRow } from '../../api/series.ts';
import { valueIn } from '../columns.ts';
import type { Table } from '../tables.ts';
import { knownAt, listedVintages, type RowVersion, VALUE_FIELD, wasCurrent } from '../vintages.ts';
import { type CommitClock, type Dated, type DatedStages, entryOf } from './dated.ts';
import type { UndoneDates } from './undone.ts';

export interface PastMoment {
  readonly by: Availability;
  /** Unix nanoseconds. */
  readonly ns: bigint;
  /** Number of the last commit by then. */
  readonly commit: number;
  /** Undone imports, which the public never knew; empty for others. */
  readonly undone: readonly UndoneDates[];
}

/** The times of commits that a row's history needs. */
export type PastClock = Pick<CommitClock, 'at'>;

export function momentOf({ at, by }: AsOf, clock: CommitClock, undone: readonly UndoneDates[]): PastMoment {
  return { by, ns: BigInt(at) * 1_000_000n, commit: clock.lastBy(at), undone: by === 'public' ? undone : [] };
}

const NOTHING = asJsonText('{}');

/** The state of a row at a moment: its text, and the vintage with its value. */
export interface InForce {
  readonly version: RowVersion;
  /** Undefined where several values claim the moment. */
  readonly dated: Dated | undefined;
  /** Since when, in Unix nanoseconds. */
  readonly since: bigint;
}

/** A row at a moment: the mirror's text of then, else the newest known value in its newest text. */
export function inForce({ stages, dated }: DatedStages, moment: PastMoment): InForce | undefined {
  const current = stages.find((version) => wasCurrent(version, moment.commit));
  const [first] = stages;
  if (!first || (!current && (moment.by === 'mirrored' || first.seen <= moment.commit))) return undefined;
  if (moment.by === 'mirrored') return current && asStored(current, dated);
  const step = stepAt(stepsOf(dated, moment.by), moment.ns);
  if (!step || step.state === 'gone') return undefined;
  const { known, at: since } = step;
  if (!known) return { version: current ?? first, dated: undefined, since };
  if (current && known.value === current.value) return { version: current, dated: known, since };
  const same = stages.filter(({ value }) => value === known.value);
  const version =
    same.findLast(({ seen }) => seen <= moment.commit) ??
    same[0] ??
    stages.find(({ seen }) => seen === known.seen) ??
    first;
  return { version, dated: known, since };
}

/** The text that the mirror had, with the newest vintage of its value. */
function asStored(version: RowVersion, dated: readonly Dated[]): InForce | undefined {
  const known = dated.filter(({ seen, value }) => seen <= version.seen && value === version.value);
  const newest = known.reduce<Dated | undefined>(
    (best, one) => (best && best.known.mirrored > one.known.mirrored ? best : one),
    undefined,
  );
  return newest && { version, dated: newest, since: newest.known.mirrored };
}

export type PastRow = Required<StoredRow>;

/** The row as it was known at the moment, see `Selection.asOf`. */
export function pastRow(
  table: Table,
  history: DatedStages,
  { moment, clock }: { moment: PastMoment; clock: PastClock },
): PastRow | undefined {
  const found = inForce(history, moment);
  if (!found) return undefined;
  const { version, dated, since } = found;
  const patch = pastPatch(table, { ...found, history, moment });
  const text = patch ? patchRow(asJsonText(version.text), patch) : asJsonText(version.text);
  const row = patch ? patched(version.row, patch) : version.row;
  let columns: StoredRow['columns'] | undefined;
  return {
    key: version.key,
    // A history is read whole to be counted and compared; of most of its rows nobody asks more than the text.
    get columns() {
      columns ??= typedColumnsOf(table, version.key, row);
      return columns;
    },
    text,
    commit: version.refreshed ?? version.seen,
    seenAt: clock.at(version.seen),
    keyed: version.keyed,
    known: {
      ns: String(since),
      text: dated?.vintage.text ?? NOTHING,
      byRelease: moment.by === 'public' && dated?.vintage.text === version.text && dated.vintage.epoch !== undefined,
    },
  };
}

export function typedColumnsOf(table: Table, key: readonly KeyValue[], row: JsonObject): StoredRow['columns'] {
  const columns: Record<string, KeyValue | null> = {};
  for (const [i, column] of table.key.entries()) columns[column.name] = key[i] ?? null;
  for (const column of table.columns) columns[column.name] = valueIn(row, column);
  return columns;
}

interface PastText extends InForce {
  readonly history: DatedStages;
  readonly moment: PastMoment;
}

type RowPatch = Readonly<Record<string, JsonText | undefined>>;

/** The differences between a text and its state at the moment; undefined if there are none. */
function pastPatch(table: Table, past: PastText): RowPatch | undefined {
  const { version, dated, moment } = past;
  const isLater = (version.refreshed ?? version.seen) > moment.commit;
  const patches = [
    (isLater || !dated) && saysOfNeighbours(table, version.row) && table.withoutDependent,
    moment.by !== 'mirrored' && knownList(table, past),
    version.value !== dated?.value && vintageMembers(table, dated),
    !dated && { [table.mapping.value ?? VALUE_FIELD]: asJsonText('null'), reason: toJsonText(AMBIGUOUS) },
  ].filter((patch) => patch !== false && patch !== undefined);
  return patches.length > 0 ? Object.assign({}, ...patches) : undefined;
}

/** Has a row members that belong to its neighbours or to the question? */
export function saysOfNeighbours({ dependent }: Table, row: JsonObject): boolean {
  for (const name of dependent) if (Object.hasOwn(row, name)) return true;
  return false;
}

function patched(row: JsonObject, patch: RowPatch): JsonObject {
  const left: Record<string, Json> = { ...row };
  for (const [name, text] of Object.entries(patch)) {
    if (text === undefined) delete left[name];
    else left[name] = parseJson(text);
  }
  return left;
}

/** The row's list without the vintages that were not known yet; undefined where all of them were. */
function knownList({ mapping }: Table, { version, history, moment }: PastText): RowPatch | undefined {
  const { vintages: member } = mapping;
  const isKnown = (one: Dated) => one.known[moment.by] <= moment.ns;
  if (member === undefined || history.dated.every(isKnown) || !Array.isArray(version.row[member])) return undefined;
  const known = new Set(history.dated.filter(isKnown).map(({ entry }) => entry));
  const listed = listedVintages(member, version.text);
  const left = listed.filter((one) => known.has(entryOf({ known: knownAt(one), value: one.value })));
  if (left.length === listed.length) return undefined;
  return { [member]: left.length === 0 ? undefined : asJsonText(`[${left.map(({ text }) => text).join(',')}]`) };
}

/** The members that a vintage says of itself in the place of those of another one. */
function vintageMembers({ mapping }: Table, dated: Dated | undefined): RowPatch {
  const { text } = dated?.vintage ?? { text: NOTHING };
  const spans = new Map(memberSpans(text).map((span) => [span.name, span]));
  const names = [mapping.value ?? VALUE_FIELD, ...(mapping.ofVintage ?? [])];
  return Object.fromEntries(
    names.map((name) => {
      const span = spans.get(name);
      return [name, span && asJsonText(text.slice(span.start, span.end))];
    }),
  );
}
