import type { KeptValue, LoadedSeries } from '../../contract/hooks.ts';
import { asJsonText, type JsonObject, type JsonText } from '../../contract/json.ts';
import { memberTexts } from '../../contract/scan.ts';
import { seriesMembers } from '../announcements/identity.ts';
import { parseRow, readPrint, releaseOf } from '../announcements/print.ts';
import { keptVintages, secondsToNs, type Vintage, vintagesOf } from '../announcements/vintages.ts';
import { once } from './once.ts';
import type { Period, Said } from './timeline.ts';

export interface PeriodWindow {
  readonly start_date: string;
  readonly end_date: string;
}

const NULL = asJsonText('null');

/**
 * The reference periods of a history inside a window, with every value that the rows list or the mirror remembers. When
 * values were known stands beside their texts, so a text is only read where it is shown or has to be told from another.
 */
export function periodsOf({ ref, envelope, rows, kept }: LoadedSeries, window: PeriodWindow): readonly Period[] {
  const { currency = '', indicator = '' } = ref.scope;
  const seriesId = once(() => seriesMembers({ currency, indicator }, envelope).selected_series_id);
  const isInside = (date: string) => date >= window.start_date && date <= window.end_date;
  const periodOf = (date: string, said: readonly Said[], row: () => JsonObject): Period => ({
    date,
    said,
    about: once(() => {
      const { observation_id: id } = row();
      return { release: releaseOf(row()), observationId: typeof id === 'string' ? id : `${seriesId()}_${date}` };
    }),
  });
  const dates = new Set<string>();
  const listed = rows.flatMap(({ columns, text }): readonly Period[] => {
    const date = String(columns.date);
    if (!isInside(date)) return [];
    dates.add(date);
    const values = kept?.get(date) ?? [];
    return [
      periodOf(
        date,
        saidOfRow(text, values),
        once(() => parseRow(text)),
      ),
    ];
  });
  const vanished = [...(kept ?? [])].flatMap(([date, values]): readonly Period[] => {
    if (!isInside(date) || dates.has(date)) return [];
    return [
      periodOf(
        date,
        keptVintages(values).map(saidOf),
        once(() => newestRow(values)),
      ),
    ];
  });
  return [...listed, ...vanished];
}

/** What a row that is still there said. What the mirror remembers holds its list too. */
function saidOfRow(text: JsonText, values: readonly KeptValue[]): readonly Said[] {
  if (values.length > 0 && haveOwnTimes(values)) return values.map(saidOfKept);
  // Several values under one time have to be told apart by the service's own order.
  return vintagesOf({ ...readPrint(text), kept: values }).map((vintage) => {
    const { withdrawnAt: _, ...said } = saidOf(vintage);
    return said;
  });
}

function haveOwnTimes(values: readonly KeptValue[]): boolean {
  const [only] = values;
  if (values.length === 1 && only) return true;
  const times = values.flatMap(({ epoch }) => epoch ?? []);
  return new Set(times).size === times.length;
}

/** Times as `keptVintages` gives them to values that share none. */
function saidOfKept({ epoch, observedNs, seenAt, text }: KeptValue): Said {
  const capturedAt = observedNs === undefined ? secondsToNs(seenAt) : BigInt(observedNs);
  return {
    publicAt: secondsToNs(epoch) ?? capturedAt,
    capturedAt,
    valText: once(() => memberTexts(text, ['val'])[0] ?? NULL),
  };
}

/**
 * To the public a value is known at the time that is stated for it, even when another value claims the same one: then
 * nobody can tell which of them was known.
 */
function saidOf({ statedAt, publicAt, capturedAt, valText, withdrawnAt }: Vintage): Said {
  return {
    publicAt: statedAt ?? publicAt,
    capturedAt,
    valText: () => valText,
    ...(withdrawnAt !== undefined && { withdrawnAt }),
  };
}

/** The last whole row among values of a period; entries of its list have no date. */
function newestRow(values: readonly KeptValue[]): JsonObject {
  return values.map(({ text }) => parseRow(text)).findLast((row) => row.date !== undefined) ?? {};
}
