import { orderOf } from '../page.ts';
import type { Where } from '../select.ts';
import { columnNamesOf, releaseColumn, type Table } from '../tables.ts';
import { type PastQuestion, rowVersionCondition } from './past-conditions.ts';
import type { PastMoment } from './past-row.ts';

/**
 * Selects the key of the first row, in the order of the answer or from its other end, that may have been known at a moment;
 * nothing when none was. Every row before it came by a later commit and says that it was published later, whatever text or vintage of it is looked
 * at: a question of long ago would else look into all that was published since.
 */
export function horizonSelect(table: Table, question: PastQuestion, reverse = false): Where {
  const base = rowVersionCondition(table, question);
  const keys = columnNamesOf(table.key).join(', ');
  const first = `order by ${orderOf(columnNamesOf(table.key), table, reverse)} limit 1`;
  const { text, vintage } = mayBeKnown(table, question.moment);
  const candidates = [
    { from: table.superseded, ...text(table.superseded) },
    { from: table.current, ...text(table.current) },
    ...(table.vintages && vintage ? [{ from: table.vintages, ...vintage }] : []),
  ];
  const selects = candidates.map(
    ({ from, sql }, i) =>
      `select * from (select ${keys} from ${from} where ${base.sql} and (${sql}) ${first}) as candidate_${i}`,
  );
  return {
    sql: `select ${keys} from (${selects.join(' union all ')}) as candidates ${first}`,
    values: candidates.flatMap(({ values }) => [...base.values, ...values]),
  };
}

interface MayBeKnown {
  /** Of a text in one of the tables that hold texts. */
  text(table: string): Where;
  /** Of a listed vintage; undefined where texts tell it alone. */
  readonly vintage: Where | undefined;
}

/** What `datedOf` can date up to a moment, or more: a text that says of itself when it was known is looked at. */
function mayBeKnown(table: Table, { by, ns, commit }: PastMoment): MayBeKnown {
  const captured = { sql: 'observed_ns <= cast(? as bigint)', values: [String(ns)] };
  if (by === 'mirrored') return { text: () => ({ sql: 'seen <= ?', values: [commit] }), vintage: undefined };
  if (by === 'captured')
    return {
      text: (name) => ({ sql: `seen <= ? or not ${hasListed(table, name)}`, values: [commit] }),
      vintage: captured,
    };
  const release = releaseColumn(table);
  const seconds = Number(ns / 1_000_000_000n);
  return {
    text: () => ({ sql: `seen <= ? or ${release} is null or ${release} <= ?`, values: [commit, seconds] }),
    vintage: { sql: `epoch <= ? or ${captured.sql}`, values: [seconds, ...captured.values] },
  };
}

/** A text that came with vintages lends them nothing of its own. */
function hasListed({ vintages, key }: Table, name: string): string {
  const same = ['series', ...columnNamesOf(key), 'seen'].map((column) => `listed.${column} = ${name}.${column}`);
  return `exists (select 1 from ${vintages} as listed where ${same.join(' and ')})`;
}
