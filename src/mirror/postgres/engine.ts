import type { JsonText } from '../../contract/json/json.ts';
import { columnsBy } from '../rules/as-of/past-conditions.ts';
import type { PageTuple, Where } from '../rules/select.ts';
import { remember, type Shared } from '../rules/tables.ts';
import { doLater, type Engine, type Times } from '../statements/engine.ts';
import type { ServerConnection } from './connection.ts';
import { boundOf, boundText } from './schema.ts';

const MAX_TIMES = 100_000;

export type SharedTimes = Pick<Shared, 'commitTimes' | 'newestTimed'>;

/** Reads through a connection to a server. */
export function serverEngine(connection: ServerConnection, shared: SharedTimes): Engine {
  const times = createTimes(connection, shared);
  const { tuples, records } = connection;
  return {
    times,
    tuples,
    records,
    among: (column) => `${column} = any(?)`,
    texts: async (select) => (await tuples<[JsonText]>(select)).map(([text]) => text),
    async rows(select, { make, seen, isPage }) {
      // The times of a page are asked for together with it: selecting it twice costs less than another way there and back.
      const [found] = await Promise.all([tuples<PageTuple>(select), isPage && times.learnSeen(select)]);
      if (!isPage) await times.learn(() => found.map((tuple) => Number(tuple[seen])));
      return found.map(make);
    },
    async columns(select, names) {
      const found = await tuples<PageTuple>(select);
      const first = (found[0]?.length ?? 0) - names.length;
      return columnsBy(names, (_, i) => found.map((tuple) => tuple[first + i] ?? null));
    },
    all: (works) => Promise.all(works.map(doLater)),
    check: () => {},
    bounds: { of: (stored) => boundOf(String(stored)), stored: boundText },
  };
}

/** When commits were, as far as they were asked for: commits never change, so all reads share what they learnt. */
interface ServerTimes extends Times {
  /** Reads the times of the commits that brought some rows. */
  learnSeen(rows: Where): Promise<void>;
}

/** The times that one read needs. */
function createTimes({ tuples }: ServerConnection, shared: SharedTimes): ServerTimes {
  const { commitTimes } = shared;
  const known = new Map<number, number>();
  const moments = new Map<number, number>();
  const note = (number: number, at: number) => {
    known.set(number, at);
    remember(commitTimes, number, at, MAX_TIMES);
    shared.newestTimed = Math.max(number, shared.newestTimed ?? 0);
  };
  return {
    at: (commit) => known.get(commit) ?? 0,
    lastBy: (at) => moments.get(at) ?? 0,
    async learn(commits) {
      const unknown: number[] = [];
      for (const commit of new Set(commits())) {
        if (commit === null || known.has(commit)) continue;
        const at = commitTimes.get(commit);
        if (at === undefined) unknown.push(commit);
        else known.set(commit, at);
      }
      if (unknown.length === 0) return undefined;
      const sql = 'select number, at from commits where number = any(?)';
      for (const [number, at] of await tuples<[number, number]>({ sql, values: [unknown] })) note(number, at);
      return undefined;
    },
    async learnSeen({ sql, values }) {
      const select = `select number, at from commits where number in (select seen from (${sql}) as rows)`;
      for (const [number, at] of await tuples<[number, number]>({ sql: select, values })) note(number, at);
    },
    async learnMoment(at) {
      if (moments.has(at)) return undefined;
      const sql = 'select number from commits where at <= ? order by at desc, number desc limit 1';
      const [row] = await tuples<[number]>({ sql, values: [at] });
      moments.set(at, row?.[0] ?? 0);
      return undefined;
    },
  };
}
