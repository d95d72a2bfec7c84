// A service that has moved to another address: what it said before is its own from then on. Both engines run these texts.
import { readJson } from '../../contract/json/json.ts';
import type { Binding } from '../api/series.ts';
import { seriesFact, stampFact, sumOf, sumText, WHOLE_FILE } from '../rules/digest.ts';
import { type LedgerWork, onlyRow, statement } from './statement.ts';

const seriesOf = statement(({ query }, { origin }: { origin: string }) =>
  query.selectFrom('series').selectAll().where('origin', '=', origin),
);

const moveSeries = statement(({ query }, { from, to }: { from: string; to: string }) =>
  query.updateTable('series').set({ origin: to }).where('origin', '=', from),
);

const moveGaps = statement(({ query }, { from, to }: { from: string; to: string }) =>
  query.updateTable('gaps').set({ origin: to }).where('origin', '=', from),
);

const dropValidators = statement(({ query }) => query.deleteFrom('validators'));

const dropRuns = statement(({ query }) => query.deleteFrom('walks'));

const readStamp = statement(({ query }) => query.selectFrom('mirror').selectAll());

const setStamp = statement(({ query }, { service, bindings }: { service: string; bindings: string }) =>
  query.updateTable('mirror').set({ service, bindings }),
);

const setSum = statement(
  ({ query }, { series, part, rows, sum }: { series: number; part: string; rows: number; sum: string }) =>
    query.updateTable('sums').set({ rows, sum }).where('series', '=', series).where('part', '=', part),
);

/** Binds series, gaps, stamp and sums to an address in one transaction; drops validators and half walks. */
export function* bindService(binding: Binding): LedgerWork<void> {
  const { from, to } = binding;
  const moved = yield* seriesOf({ origin: from });
  yield* moveSeries({ from, to });
  yield* moveGaps({ from, to });
  yield* dropValidators({});
  yield* dropRuns({});
  for (const row of moved) {
    const sum = sumOf([seriesFact({ ...row, origin: to })]);
    yield* setSum({ series: row.id, part: 'series', rows: sum.rows, sum: sumText(sum) });
  }
  const stamp = onlyRow(yield* readStamp({}));
  const bindings = JSON.stringify([...readJson<readonly Binding[]>(stamp.bindings ?? '[]'), binding]);
  yield* setStamp({ service: to, bindings });
  const sum = sumOf([stampFact({ ...stamp, service: to, bindings })]);
  yield* setSum({ series: WHOLE_FILE, part: 'stamp', rows: sum.rows, sum: sumText(sum) });
}
