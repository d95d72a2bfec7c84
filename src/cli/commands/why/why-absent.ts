import { MIRROR_INCOMPLETE } from '../../../contract/mark.ts';
import type { Range } from '../../../contract/time/coverage.ts';
import { dateToMs, isCalendarDate, parseInstant } from '../../../contract/time/time.ts';
import { endpointById, MAPPINGS } from '../../../endpoints/index.ts';
import { MacroError } from '../../../errors.ts';
import type { MirrorReader, StoredSeries } from '../../../mirror/api/mirror.ts';
import { shortfallOf } from '../../../source/coverage/mark.ts';
import { lacksOfStored } from '../../../source/coverage/stored-lacks.ts';
import type { App } from '../../app/app.ts';
import { nameOfSeries } from '../../messages/chosen-series.ts';
import { cureOf } from '../../messages/partial.ts';
import { nameOfRow } from '../../messages/row-name.ts';

interface Absent {
  readonly app: App;
  readonly reader: MirrorReader;
  readonly series: readonly StoredSeries[];
  readonly row: string;
}

/** Why no series has a row: the mirror does not hold that part of them, or it does and there is none. */
export async function absentRow({ app, reader, series, row }: Absent): Promise<MacroError> {
  const now = app.platform.clock.now();
  const partOf = (stored: StoredSeries) => ({ now, range: rangeOfRow(stored, row) });
  const lacks = (await Promise.all(series.map((stored) => lacksOfStored(reader, stored, partOf(stored))))).flat();
  const [first] = series;
  const endpoint = first && endpointById(first.endpoint);
  const shortfall = endpoint && shortfallOf({ endpoint, args: {} }, lacks, { checkedAt: now, now });
  if (shortfall)
    return new MacroError('incomplete', `The mirror does not hold ${namesOfSeries(series)} for ${row}.`, {
      code: MIRROR_INCOMPLETE,
      hint: cureOf(app, shortfall),
    });
  return new MacroError(
    'notFound',
    `There is no row of ${namesOfSeries(series)} for ${row}: the mirror holds that part, and none is in it.`,
    {
      code: 'no_such_row',
      hint: (first && (await rowBefore(reader, first, row))) ?? 'macro mirror status says what it holds.',
    },
  );
}

function namesOfSeries(series: readonly StoredSeries[]): string {
  const names = [...new Set(series.map(nameOfSeries))];
  return names.length > 3 ? `${names.slice(0, 3).join(', ')} and ${names.length - 3} more` : names.join(', ');
}

/** The part of a series that the word for a row means; undefined of a row without a time. */
function rangeOfRow({ endpoint }: StoredSeries, row: string): Range | undefined {
  const { window, sync } = MAPPINGS[endpoint] ?? {};
  if (!window || sync?.kind === 'document' || sync?.kind === 'snapshot') return undefined;
  if (window.unit === 'date') return isCalendarDate(row) ? { from: row, to: row } : undefined;
  const at = parseInstant(row);
  if (at === undefined) return undefined;
  return isCalendarDate(row) ? { from: dateToMs(row) / 1000, to: dateToMs(row) / 1000 + 86_399 } : { from: at, to: at };
}

async function rowBefore(reader: MirrorReader, series: StoredSeries, row: string): Promise<string | undefined> {
  const mapping = MAPPINGS[series.endpoint];
  if (!mapping?.window || !isCalendarDate(row)) return undefined;
  const last = { limit: 1, offset: 0, reverse: mapping.order !== 'newest' };
  const [nearest] = await reader.rows(series, { to: row }, last);
  return nearest && `The row before it is that of ${nameOfRow(series, nearest.key)}.`;
}
