import type { Connection } from './connect.ts';
import { datedOf } from './dated.ts';
import type { Reading } from './history.ts';
import { withinRange } from './key-range.ts';
import type { ColumnValues, StoredRow } from './mirror.ts';
import type { PastReader, PastSelection } from './past.ts';
import { isSelected, stageConditions } from './past-conditions.ts';
import { momentOf, pastRow } from './past-row.ts';
import { keyId } from './rows.ts';
import { columnOf } from './select.ts';
import { STAGE_KEY, type Stage, type StageTuple, stageColumns, stageOf } from './stages.ts';
import type { Table } from './tables.ts';
import { vintageReader } from './vintages.ts';

/**
 * Rows as they were known at a moment, where rows list their vintages. Walk: the texts of both tables in the order of the
 * answer; all of one row together with its vintages; `pastRow` decides which was in force. Read one row after the other,
 * so a page costs the rows up to its end.
 */
export function listedReader(db: Connection, { statements, clock }: Reading, table: Table): PastReader {
  const listed = vintageReader(statements, table);
  const columns = stageColumns(table);
  const ordinals = table.key.map((_, i) => `${STAGE_KEY + i} ${table.direction}`).join(', ');

  function* iterate(series: number, selection: PastSelection, after?: StoredRow['key']): Generator<StoredRow> {
    const moment = momentOf(selection.asOf, clock);
    const { superseded, current } = stageConditions(table, { series, selection, moment, ...(after && { after }) });
    const sql = `select ${columns.superseded} from ${table.superseded} where ${superseded.sql}
      union all select ${columns.current} from ${table.current} where ${current.sql} order by ${ordinals}`;
    // A statement serves one iteration at a time, so this one is not shared.
    const tuples = db
      .prepare<unknown[], StageTuple>(sql)
      .raw()
      .iterate(...superseded.values, ...current.values);
    for (const stages of byRow(table, tuples)) {
      const dated = datedOf(
        table,
        { stages, listed: listed(withinRange(table, series, { prefix: stages[0].key })) },
        clock,
      );
      const row = pastRow(table, { stages, dated }, { moment, clock });
      if (row && isSelected(table, row, selection)) yield row;
    }
  }

  return {
    iterate,
    page(series, selection, page) {
      const { limit = Number.POSITIVE_INFINITY, offset = 0 } = page ?? {};
      const taken: StoredRow[] = [];
      let place = 0;
      if (limit < 1) return taken;
      for (const row of iterate(series, selection)) {
        place += 1;
        if (place <= offset) continue;
        taken.push(row);
        if (taken.length >= limit) break;
      }
      return taken;
    },
    columns(series, selection, names) {
      for (const name of names) columnOf(table, name);
      const rows = [...iterate(series, selection)];
      const listOf = (name: string) => rows.map(({ columns: of }) => of[name] ?? null);
      // A column without any value is none.
      return Object.fromEntries(
        names.map((name) => {
          const list = listOf(name);
          return [name, list.some((value) => value !== null) ? list : undefined];
        }),
      ) as ColumnValues<(typeof names)[number]>; // one entry a name
    },
    count(series, selection) {
      let counted = 0;
      for (const _ of iterate(series, selection)) counted += 1;
      return counted;
    },
  };
}

type Stages = [Stage, ...Stage[]];

/** The texts of one row after the other, each row's in the order of commits. */
function* byRow(table: Table, tuples: Iterable<StageTuple>): Generator<Stages> {
  let stages: Stages | undefined;
  for (const tuple of tuples) {
    const stage = stageOf(table, tuple);
    if (stages && keyId(stages[0].key) === keyId(stage.key)) {
      stages.push(stage);
      continue;
    }
    if (stages) yield sorted(stages);
    stages = [stage];
  }
  if (stages) yield sorted(stages);
}

function sorted(stages: Stages): Stages {
  return stages.sort((a, b) => a.seen - b.seen);
}
