import { readJson } from '../../contract/json/json.ts';
import { boundAfter } from '../../contract/time/coverage.ts';
import { addDays, dateOf, isCalendarDate } from '../../contract/time/time.ts';
import type { AccessTag, CoverageOf, KeyValue, SeriesCheck, StoredCoverage } from '../api/series.ts';
import { coveredSelection, type Where, whereOf } from './select.ts';
import type { SystemRows } from './system-tables.ts';
import { columnNamesOf, quote, type Table } from './tables.ts';

/** More overlapping intervals than this of one series and access are not worth their keep. */
const MAX_INTERVALS = 4;

/** The access of a bulk file: it covers for everybody, and no keyless answer takes its place. */
export const FILE_ACCESS: AccessTag = 'key:import';

/** The access of what the sandbox makes up itself, which no service can ever confirm: generated data is like what a key brings. */
export const GENERATED_ACCESS = 'key:sandbox' satisfies AccessTag;

/** A coverage interval and its newest row that is stored now and was when it was made; null if none was. */
export interface DatedRange<P extends StoredCoverage = StoredCoverage> {
  readonly covered: P;
  /** Undefined where rows come in no order of dates, or where nobody knows. Reading it may read the mirror. */
  readonly newest: KeyValue | null | undefined;
}

/** Does a row of an access satisfy another one? A keyless question is satisfied by the answers to any key. */
export const satisfying =
  (access: CoverageOf) =>
  (row: { readonly access: string }): boolean =>
    access === 'keyless' || (access === 'keyed' ? row.access !== 'keyless' : row.access === access);

/** The latest of the noted checks that satisfy an access. */
export function latestCheck(
  rows: readonly Pick<SystemRows['checks'], 'access' | 'facts'>[],
  access: CoverageOf,
): SeriesCheck | undefined {
  const checks = rows.filter(satisfying(access)).map(({ facts }) => readJson<SeriesCheck>(facts));
  return checks.reduce<SeriesCheck | undefined>((a, b) => (a && a.comparedAt >= b.comparedAt ? a : b), undefined);
}

export function intervalOf(
  row: Pick<SystemRows['proofs'], 'starts' | 'ends' | 'rows' | 'proven_at' | 'skipped'>,
): StoredCoverage {
  const { starts: from, ends: to, rows, proven_at: checkedAt, skipped } = row;
  return {
    from,
    to,
    rows,
    checkedAt,
    ...(skipped !== null && { skipped: readJson<NonNullable<StoredCoverage['skipped']>>(skipped) }),
  };
}

/** The rows before an interval, as stored text. */
export function skippedText({ skipped }: StoredCoverage): string | null {
  return skipped ? JSON.stringify({ rows: skipped.rows, front: skipped.front, beside: skipped.beside }) : null;
}

/** A coverage interval with the last commit before its check. */
export interface CoverageRow extends StoredCoverage {
  readonly commit?: number;
}

/** The coverage with one more interval. `isKnown`: an answer gave its rows; `isNoted`: it was there before. */
export function coverageAfter(before: readonly DatedRange<CoverageRow>[], added: DatedRange, lateDays: number) {
  const known = { looks: [...before, added], lateDays };
  const [own] = certainPart(added, known);
  const rest: readonly CoverageRow[] = before.flatMap((look) => certainPart(look, known)).map(({ covered }) => covered);
  const after = own ? addInterval(rest, own.covered) : rest;
  const noted = known.looks.map(({ covered }) => covered);
  return after.map((one) => ({
    one,
    isKnown: noted.some(({ from, to }) => one.from === from && one.to === to),
    isNoted: before.some(({ covered }) => covered === one),
  }));
}

/** The intervals with a new one: inner ones go, touching ones grow as of the older moment. */
export function addInterval(before: readonly CoverageRow[], added: StoredCoverage): readonly CoverageRow[] {
  const grown = new Map<string, StoredCoverage>();
  for (const old of before) {
    if (contains(added, old)) continue;
    const next = old.from <= boundAfter(added.to) && added.from <= boundAfter(old.to) ? grownOver(old, added) : old;
    const name = JSON.stringify([next.from, next.to]);
    const other = grown.get(name);
    if (!other || other.checkedAt < next.checkedAt) grown.set(name, next);
  }
  const kept = [...grown.values(), added];
  while (kept.length > MAX_INTERVALS) {
    const spare = kept
      .filter((covered) => covered !== added && kept.some((other) => other !== covered && contains(other, covered)))
      .sort((a, b) => a.checkedAt - b.checkedAt)[0];
    if (!spare) break;
    kept.splice(kept.indexOf(spare), 1);
  }
  return kept;
}

function contains(outer: StoredCoverage, inner: StoredCoverage): boolean {
  return outer.from <= inner.from && outer.to >= inner.to;
}

/** The union, or the old one itself where it says no more. */
function grownOver(old: StoredCoverage, added: StoredCoverage): StoredCoverage {
  const { from, to, checkedAt, skipped } = union(old, added);
  const isSame = from === old.from && to === old.to && checkedAt === old.checkedAt && skipped === old.skipped;
  return isSame ? old : union(old, added);
}

function union(old: StoredCoverage, added: StoredCoverage): StoredCoverage {
  const skipped = skippedBy(old, added);
  return {
    ...(skipped && { skipped }),
    from: old.from < added.from ? old.from : added.from,
    to: old.to > added.to ? old.to : added.to,
    rows: old.rows,
    checkedAt: Math.min(old.checkedAt, added.checkedAt),
  };
}

/** Rows before a union: those before the one of both that reaches the side where they lie. Windows without any lie at the front. */
function skippedBy(old: StoredCoverage, added: StoredCoverage): StoredCoverage['skipped'] {
  const isNewestFirst = [old, added].some(({ skipped, to }) => skipped !== undefined && skipped.front > to);
  const reaches = isNewestFirst ? added.to >= old.to : added.from <= old.from;
  return (reaches ? added : old).skipped;
}

/** The certain interval of several checks that reaches furthest. */
export function newestCertain(looks: readonly DatedRange[], lateDays: number): StoredCoverage | undefined {
  return newestOf(certainParts(looks, lateDays).map(({ covered }) => covered));
}

/** The interval that reaches furthest and has no rows behind it; among equals the latest. */
export function newestOf(coveredRanges: readonly StoredCoverage[]): StoredCoverage | undefined {
  const heads = coveredRanges.filter(({ skipped }) => skipped === undefined);
  return heads.reduce<StoredCoverage | undefined>((best, covered) => {
    if (!best || covered.to > best.to) return covered;
    return covered.to === best.to && covered.checkedAt > best.checkedAt ? covered : best;
  }, undefined);
}

/** True where a row may be published days after its date. A file has everything up to its last date. */
export function mayComeLate({ mapping }: Table, access: string): boolean {
  return access !== FILE_ACCESS && (mapping.sync.kind === 'history' || mapping.sync.kind === 'pages');
}

/** The newest row of a window that is stored now and was stored at a commit, revised since or not. */
export function newestSelect(
  table: Table,
  series: number,
  { from, to, commit }: Pick<StoredCoverage, 'from' | 'to'> & { readonly commit: number },
): Where {
  const column = quote(table.mapping.window?.column ?? table.key[0]?.name ?? '');
  const { sql, values } = whereOf(table, series, coveredSelection(table, { from, to }));
  const same = ['series', ...columnNamesOf(table.key)].map((name) => `old.${name} = held.${name}`).join(' and ');
  const before = `exists (select 1 from ${table.superseded} as old where ${same} and old.seen <= ?)`;
  return {
    sql: `select ${column} from ${table.current} as held where ${sql} and (seen <= ? or ${before}) order by ${column} desc limit 1`,
    values: [...values, commit, commit],
  };
}

/** The value of a key as a bound of dates; undefined where it is none, as an instant of a schedule or a name. */
export function certainDayOf(value: KeyValue | null | undefined): string | null | undefined {
  if (typeof value === 'number') return undefined;
  const day = value?.slice(0, 10);
  return value === null || (day !== undefined && isCalendarDate(day)) ? (day ?? null) : undefined;
}

/** The newest row that any of several looks at one series knew. */
function newestOfAll(looks: readonly DatedRange[]): KeyValue {
  return looks.reduce<KeyValue>((last, look) => (isLater(look.newest, last) ? look.newest : last), '');
}

function isLater(value: DatedRange['newest'], than: KeyValue): value is KeyValue {
  return value !== null && value !== undefined && value > than;
}

/** Days after its date in which a row of a series may still be published, as far as anybody says. */
export function lateDaysOf({ mapping: { sync } }: Table): number {
  return sync.kind === 'history' ? sync.revisionDays : 0;
}

/** The remaining coverage of several checks; a check that may have been too early states its newest row. */
export function certainRanges(looks: readonly DatedRange[], lateDays: number): readonly StoredCoverage[] {
  return certainParts(looks, lateDays).map(({ covered, newest }) =>
    newest === undefined || !mayHaveBeenEarly(covered, looks, lateDays) ? covered : { ...covered, newest },
  );
}

/** The certain parts of several checks. A single check is certain; its newest row is not read. */
export function certainParts(looks: readonly DatedRange[], lateDays: number): readonly DatedRange[] {
  return looks.length === 1 ? looks : looks.flatMap((look) => certainPart(look, { looks, lateDays }));
}

/** The certain part of a check that may have been too early, if another one shows a later row. */
export function certainPart<P extends StoredCoverage>(
  look: DatedRange<P>,
  { looks, lateDays }: { readonly looks: readonly DatedRange[]; readonly lateDays: number },
): readonly DatedRange<P>[] {
  const { covered, newest } = look;
  if (newest === undefined || !mayHaveBeenEarly(covered, looks, lateDays)) return [look];
  const last = newestOfAll(looks);
  const isLast = newest === null ? covered.from > last : newest >= last;
  if (isLast) return [look];
  const day = dateOf(covered.checkedAt);
  // Rows that are dated ahead do not show whether more will come.
  const to = newest !== null && newest > day ? day : newest;
  return to === null || to < covered.from ? [] : [{ covered: { ...covered, to }, newest: to }];
}

function mayHaveBeenEarly(covered: StoredCoverage, looks: readonly DatedRange[], lateDays: number): boolean {
  return reachesItsDay(covered) || wasEarly(covered, looks, lateDays);
}

function reachesItsDay({ to, checkedAt }: StoredCoverage): boolean {
  return to >= dateOf(checkedAt);
}

/** True of a window that ended so near its check that rows may come later, unless one from behind it was there. */
function wasEarly(covered: StoredCoverage, looks: readonly DatedRange[], lateDays: number): boolean {
  const { to, checkedAt, skipped } = covered;
  if (addDays(String(to), lateDays) < dateOf(checkedAt)) return false;
  if (skipped && skipped.rows > 0 && skipped.front > to) return false;
  return newestOfAll(looks.filter((look) => look.covered.checkedAt <= checkedAt)) <= to;
}
