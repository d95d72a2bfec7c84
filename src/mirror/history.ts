import { asJsonText } from '../contract/json.ts';
import { field, parseRow } from './columns.ts';
import type { KeyValue, Vintage } from './mirror.ts';
import { compareKeys, keyId } from './rows.ts';
import { boundsOf, type Where } from './select.ts';
import type { Statements } from './statements.ts';
import { namesOf, quote, type Table } from './tables.ts';
import { comparable, type KeptVintage, VALUE_FIELD, vintageReader } from './vintages.ts';

/** One text that a row had, from the commit that brought it to the one that ended it. */
interface Stage {
  readonly key: readonly KeyValue[];
  readonly seen: number;
  readonly ended: number | undefined;
  readonly release: number | undefined;
  readonly assumed: boolean;
  readonly text: string;
}

/** Which rows: those with a key prefix, and where rows are dated by their key, those from a date on. */
export interface KeyRange {
  readonly prefix: readonly KeyValue[];
  readonly from?: KeyValue | undefined;
}

/** The condition of a range inside one series, over key columns alone: every table of the endpoint has them. */
export function withinRange(table: Table, series: number, { prefix, from }: KeyRange): Where {
  const [first] = table.key;
  const parts = ['series = ?', ...namesOf(table.key.slice(0, prefix.length)).map((name) => `${name} = ?`)];
  if (from === undefined || !first || first.name !== table.mapping.window?.column)
    return { sql: parts.join(' and '), values: [series, ...prefix] };
  const bound = boundsOf(table, { from }).from ?? from;
  return { sql: [...parts, `${quote(first.name)} >= ?`].join(' and '), values: [series, ...prefix, bound] };
}

/**
 * Vintages of rows: those that the rows listed, and our own, because a value that changed without saying since when is
 * known from the moment we first saw it. Our own are read from the superseded rows and need no table. Walk: per key, its
 * stages in order of commits; a stage that brought a new value adds a vintage unless it listed that value itself; the
 * first stage of a row lends it its release time, a later one never does.
 */
export function historyReader(statements: Statements, table: Table) {
  const kept = vintageReader(statements, table);
  const stages = stageReader(statements, table);
  const { value: member = VALUE_FIELD } = table.mapping;

  return (series: number, range: KeyRange, seenAt: (commit: number) => number): readonly Vintage[] => {
    const where = withinRange(table, series, range);
    const byKey = new Map<string | number, { stages: Stage[]; listed: KeptVintage[] }>();
    const of = (key: readonly KeyValue[]) => {
      const id = keyId(key);
      const found = byKey.get(id) ?? { stages: [], listed: [] };
      byKey.set(id, found);
      return found;
    };
    for (const stage of stages(where)) of(stage.key).stages.push(stage);
    for (const vintage of kept(where)) of(vintage.key).listed.push(vintage);
    return [...byKey.values()]
      .map(({ stages, listed }) => vintagesOfRow({ stages, listed, member }, seenAt))
      .sort((a, b) => compareKeys(a[0]?.key ?? [], b[0]?.key ?? []))
      .flat();
  };
}

function stageReader(statements: Statements, table: Table) {
  const release = table.mapping.release === undefined ? 'null' : quote(table.mapping.release);
  const columns = ['seen', release, 'assumed_release', 'text', ...namesOf(table.key)].join(', ');
  return ({ sql, values }: Where): readonly Stage[] => {
    const past = statements
      .raw<[ended: number, ...StageTuple]>(`select superseded, ${columns} from ${table.superseded} where ${sql}`)
      .all(...values)
      .map(([ended, ...rest]) => stageOf(ended, rest));
    const present = statements
      .raw<StageTuple>(`select ${columns} from ${table.current} where ${sql}`)
      .all(...values)
      .map((row) => stageOf(undefined, row));
    return past.length === 0 ? present : [...past, ...present].sort((a, b) => a.seen - b.seen);
  };
}

type StageTuple = [seen: number, release: number | null, assumed: number | null, text: string, ...key: KeyValue[]];

function stageOf(ended: number | undefined, [seen, release, assumed, text, ...key]: StageTuple): Stage {
  return {
    key,
    seen,
    ended,
    release: release ?? assumed ?? undefined,
    assumed: release === null && assumed !== null,
    text,
  };
}

function valueText({ text }: Stage, member: string): string {
  return comparable(field(parseRow(text), member));
}

/** A vintage on its way: when it was known, and the commit that brought it, which orders those of one moment. */
interface Dated {
  readonly vintage: Vintage;
  readonly known: number;
  readonly seen: number;
}

interface RowHistory {
  readonly stages: readonly Stage[];
  readonly listed: readonly KeptVintage[];
  /** Where a row has its value. */
  readonly member: string;
}

function vintagesOfRow({ stages, listed, member }: RowHistory, seenAt: (commit: number) => number): readonly Vintage[] {
  const seconds = (commit: number) => seenAt(commit) / 1000;
  const dated: Dated[] = listed.map((one) => datedListed(one, seconds(one.seen)));
  for (const [i, stage] of stages.entries()) {
    const before = stages[i - 1];
    const continues = before !== undefined && before.ended === stage.seen;
    if (continues && valueText(before, member) === valueText(stage, member)) continue;
    const newest = newestOf(listed.filter((one) => one.seen === stage.seen));
    if (newest && newest.value === valueText(stage, member)) continue;
    dated.push(datedOwn(stage, seconds(stage.seen), !continues && newest === undefined));
  }
  dated.sort((a, b) => a.known - b.known || a.seen - b.seen);
  return withWithdrawals(dated, stages, seconds);
}

function newestOf(listed: readonly KeptVintage[]): KeptVintage | undefined {
  return listed.reduce<KeptVintage | undefined>(
    (best, one) => (best && best.known > one.known ? best : one),
    undefined,
  );
}

function datedListed(one: KeptVintage, seenAt: number): Dated {
  const observedAt = one.observed === undefined ? undefined : Number(one.observed) / 1e9;
  return {
    vintage: {
      key: one.key,
      epoch: one.epoch,
      observedAt,
      ...(one.observed !== undefined && { observedNs: String(one.observed) }),
      seenAt,
      text: asJsonText(one.text),
    },
    known: one.epoch ?? observedAt ?? seenAt,
    seen: one.seen,
  };
}

function datedOwn(stage: Stage, seenAt: number, lendsRelease: boolean): Dated {
  const epoch = lendsRelease ? stage.release : undefined;
  const assumed = epoch !== undefined && stage.assumed;
  return {
    vintage: {
      key: stage.key,
      epoch,
      observedAt: undefined,
      seenAt,
      text: asJsonText(stage.text),
      ...(assumed && { assumed }),
    },
    known: epoch ?? seenAt,
    seen: stage.seen,
  };
}

/** A row that vanished without a successor ends with the newest vintage that was known until then. */
function withWithdrawals(
  dated: readonly Dated[],
  stages: readonly Stage[],
  seconds: (commit: number) => number,
): readonly Vintage[] {
  const ends = new Map<Dated, number>();
  for (const [i, { ended }] of stages.entries()) {
    if (ended === undefined || stages[i + 1]?.seen === ended) continue;
    const last = dated.findLast((one) => one.seen < ended);
    if (last) ends.set(last, seconds(ended));
  }
  return dated.map((one) => {
    const withdrawnAt = ends.get(one);
    return withdrawnAt === undefined ? one.vintage : { ...one.vintage, withdrawnAt };
  });
}
