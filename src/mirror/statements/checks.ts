import { readJson } from '../../contract/json/json.ts';
import type { Mirror } from '../api/mirror.ts';
import type { AccessTag, SeriesCheck } from '../api/series.ts';
import { type LedgerAccess, type LedgerWork, statement } from './statement.ts';

const ofEndpoint = statement(({ query }, { endpoint, access }: { endpoint: string; access: string }) =>
  query
    .selectFrom('checks')
    .innerJoin('series', 'series.id', 'checks.series')
    .select(['checks.series', 'facts'])
    .where('endpoint', '=', endpoint)
    .where('access', '=', access)
    .orderBy('checks.series'),
);

const put = statement(({ query }, { series, access, facts }: { series: number; access: string; facts: string }) =>
  query
    .insertInto('checks')
    .values({ series, access, facts })
    .onConflict((on) => on.columns(['series', 'access']).doUpdateSet({ facts })),
);

const rowSums = statement(({ query }, { series }: { series: number }) =>
  query
    .selectFrom('sums')
    .select(['part', 'rows'])
    .where('series', '=', series)
    .where('part', 'in', ['current', 'superseded'])
    .orderBy('part'),
);

/** The record of the checks of whole series, in a mirror of any engine. */
export function createCheckLog({ read, change }: LedgerAccess): Pick<Mirror, 'checks' | 'noteCheck' | 'rowsState'> {
  return {
    checks: (endpoint, access) => read(() => readChecks(endpoint, access)),
    rowsState: (series) => read(() => rowsState(series)),
    noteCheck: (series, access, check) => change(() => noteCheck(series, access, check)),
  };
}

function* readChecks(endpoint: string, access: AccessTag): LedgerWork<ReadonlyMap<number, SeriesCheck>> {
  const rows = yield* ofEndpoint({ endpoint, access });
  return new Map(rows.map(({ series, facts }) => [series, readJson<SeriesCheck>(facts)]));
}

/** Each row that is added, revised or withdrawn makes one of the two numbers another one, and none of them ever turns back. */
function* rowsState(series: number): LedgerWork<string> {
  return (yield* rowSums({ series })).map(({ part, rows }) => `${part} ${rows}`).join(', ');
}

function* noteCheck(series: number, access: AccessTag, check: SeriesCheck): LedgerWork<void> {
  yield* put({ series, access, facts: JSON.stringify(check) });
}
