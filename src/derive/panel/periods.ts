import type { KeptValue, LoadedSeries } from '../../contract/hooks.ts';
import { asJsonText, type JsonObject, type JsonText, parseObject } from '../../contract/json/json.ts';
import { memberTexts } from '../../contract/json/scan.ts';
import { seriesMembers } from '../announcements/identity.ts';
import { readPrint, releaseOfPrint } from '../announcements/print.ts';
import { printVintages } from '../announcements/vintages.ts';
import type { PanelPeriod, Said } from './timeline.ts';

export interface PeriodWindow {
  readonly start_date: string;
  readonly end_date: string;
}

const NULL = asJsonText('null');

/**
 * The reference periods of a history inside a window, with every value that the rows list or the mirror remembers. When
 * values were known stands beside their texts, so a text is only read where it is shown or has to be told from another.
 */
export function periodsOf({ ref, envelope, rows, kept }: LoadedSeries, window: PeriodWindow): readonly PanelPeriod[] {
  const { currency = '', indicator = '' } = ref.scope;
  const seriesId = memoized(() => seriesMembers({ currency, indicator }, envelope).selected_series_id);
  const isInside = (date: string) => date >= window.start_date && date <= window.end_date;
  const periodOf = (date: string, said: readonly Said[], row: () => JsonObject): PanelPeriod => ({
    date,
    said,
    about: memoized(() => {
      const { observation_id: id } = row();
      return { release: releaseOfPrint(row()), observationId: typeof id === 'string' ? id : `${seriesId()}_${date}` };
    }),
  });
  const dates = new Set<string>();
  const listed = rows.flatMap(({ columns, text }): readonly PanelPeriod[] => {
    const date = String(columns.date);
    if (!isInside(date)) return [];
    dates.add(date);
    const values = kept?.get(date) ?? [];
    return [
      periodOf(
        date,
        saidOfRow(text, values),
        memoized(() => parseObject(text)),
      ),
    ];
  });
  const vanished = [...(kept ?? [])].flatMap(([date, values]): readonly PanelPeriod[] => {
    if (!isInside(date) || dates.has(date)) return [];
    return [
      periodOf(
        date,
        values.map(saidOf),
        memoized(() => newestRow(values)),
      ),
    ];
  });
  return [...listed, ...vanished];
}

/** What a row said; what the mirror remembers holds its list too, dated. */
function saidOfRow(text: JsonText, values: readonly KeptValue[]): readonly Said[] {
  if (values.length > 0) return values.map(saidOf);
  return printVintages(readPrint(text)).map(({ valText, ...vintage }) => ({ ...vintage, valText: () => valText }));
}

function saidOf({ text, times }: KeptValue): Said {
  return { ...times, valText: memoized(() => memberTexts(text, ['val'])[0] ?? NULL) };
}

/** The last whole row among values of a period; entries of its list have no date. */
function newestRow(values: readonly KeptValue[]): JsonObject {
  return values.map(({ text }) => parseObject(text)).findLast((row) => row.date !== undefined) ?? {};
}

/** The value of a pure function, worked out when it is first asked for. */
function memoized<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}
