import type { Column } from '../../contract/mapping.ts';
import { integerColumn } from '../../contract/mapping.ts';
import { columnNamesOf, type Table } from '../rules/tables.ts';
import type { NewRows, Place, Writer } from '../statements/engine.ts';
import { batchesOf, type ServerConnection, unnestOf } from './connection.ts';
import { type SharedTimes, serverEngine } from './engine.ts';

/** Writes through a connection to a server. Many rows go with one statement, as one list a column. */
export function serverWriter(connection: ServerConnection, shared: SharedTimes): Writer {
  return {
    ...serverEngine(connection, shared),
    run: connection.send,
    async insert<Row extends unknown[]>({ into, shared: same, columns, rows, conflict = '', returning }: NewRows) {
      const found: Row[] = [];
      const names = Object.keys(same);
      for (const part of batchesOf(rows)) {
        const given = unnestOf(columns, part);
        const statement = {
          sql: `insert into ${into} (${[...names, given.names].join(', ')})
            select ${[...names.map(() => '?'), given.names].join(', ')}
            from ${given.sql} with ordinality as input(${given.names}, place) order by place ${conflict}${returning === undefined ? '' : ` returning ${returning}`}`,
          values: [...Object.values(same), ...given.values],
        };
        if (returning === undefined) connection.send(statement);
        else for (const row of await connection.tuples<Row>(statement)) found.push(row);
      }
      return found;
    },
    update({ table, series }: Place, changed: readonly Column[], rows: NewRows['rows']) {
      const set = columnNamesOf(changed).map((name) => `${name} = input.${name}`);
      for (const part of batchesOf(rows)) {
        const given = unnestOf([...table.key, ...changed], part);
        connection.send({
          sql: `update ${table.current} as held set ${set.join(', ')} from ${given.sql} as input(${given.names}) where ${sameKey(table)}`,
          values: [...given.values, series],
        });
      }
    },
    supersede({ table, series }: Place, rows: NewRows['rows']) {
      const kept = ['series', ...columnNamesOf([...table.key, ...table.columns]), ...OWN];
      const ends = ['revision', 'superseded', 'mark'];
      for (const part of batchesOf(rows)) {
        const given = unnestOf([...table.key, ...ends.map((name) => integerColumn(name))], part);
        connection.send({
          sql: `with gone as (
            delete from ${table.current} as held using ${given.sql} as input(${given.names}) where ${sameKey(table)}
            returning ${[...kept.map((name) => `held.${name}`), ...ends.map((name) => `input.${name}`)].join(', ')})
            insert into ${table.superseded} (${[...kept, ...ends].join(', ')}) select * from gone`,
          values: [...given.values, series],
        });
      }
    },
    // They are made in a transaction before that of the answers.
    prepare: () => {},
  };
}

const OWN = ['seen', 'refreshed', 'keyed', 'assumed_release', 'text'];

/** The condition that joins current rows with the input keys. */
const sameKey = ({ key }: Table): string =>
  ['held.series = ?', ...columnNamesOf(key).map((name) => `held.${name} = input.${name}`)].join(' and ');
