import type { Derived, Envelope, PageView } from '../../contract/hooks.ts';
import { patchRow } from '../../contract/json/body.ts';
import { asJsonText, floatText, type JsonObject, type JsonText, parseObject } from '../../contract/json/json.ts';
import { holesIn, type Range, runEnds } from '../../contract/time/coverage.ts';
import { addDays, BEGINNING, dateOf } from '../../contract/time/time.ts';
import { type Print, printText, readPrint } from '../announcements/print.ts';
import { type Cadence, cadenceOf, RHYTHMS, SAMPLE, standsForMonths } from '../cadence.ts';
import { monthsBefore, newestUpTo, percentChange } from '../percent.ts';
import { historyQuality } from '../quality.ts';
import { hasRows } from '../window-has-rows.ts';

export interface CommodityArgs {
  readonly indicator: string;
  readonly start_date: string;
  readonly end_date: string;
  readonly limit: number;
  readonly offset: number;
}

/** The history of one commodity: its rows with their percentages, and what the answer says of it. Section 9.28. */
export async function deriveCommodity(view: PageView<CommodityArgs>): Promise<Derived> {
  const page = view.rows.map(readPrint);
  const prints = [...page, ...(await lookBack(view, page))];
  const dates = prints.map(({ date }) => date);
  const cadence = cadenceOf(dates.slice(0, runEnds(view.coverage, dates)[0]));
  const holes: Range[] = [];
  const isKnown = (range: Range) => {
    const found = holesIn(view.coverage, range);
    holes.push(...found);
    return found.length === 0;
  };
  const rows = page.map((print, i) => withPercentages(print, { older: prints.slice(i + 1), cadence, isKnown }));
  return { envelope: await membersOf(view, page, cadence), rows, lacks: holes };
}

/** The rows before the page, as far as the percentage over twelve months looks back. */
async function lookBack(view: PageView<CommodityArgs>, page: readonly Print[]): Promise<readonly Print[]> {
  const sample = (await view.following(SAMPLE)).map(readPrint);
  const cadence = cadenceOf([...page, ...sample].map(({ date }) => date));
  const perYear = cadence ? RHYTHMS[cadence].rowsPerYear : 0;
  return perYear < SAMPLE ? sample : (await view.following(perYear)).map(readPrint);
}

interface Comparison {
  /** Newest first. */
  readonly older: readonly Print[];
  readonly cadence: Cadence | undefined;
  /** True when every price of a range is stored; one that is not is noted as missing. */
  readonly isKnown: (range: Range) => boolean;
}

/** The publisher's percentages stay; missing ones are computed against the row before and the one twelve months before. */
function withPercentages(print: Print, { older, cadence, isKnown }: Comparison): JsonText {
  const before = monthsBefore(print.date, 12, standsForMonths(cadence));
  const tolerance = cadence && RHYTHMS[cadence].tolerance;
  const changes: Record<string, JsonText> = {};
  const add = (name: string, input: Print | undefined, otherwise: string) => {
    if (print.row[name] !== undefined || !isKnown({ from: input?.date ?? otherwise, to: print.date })) return;
    const change = percentChange(print.val, input?.val);
    if (change !== undefined) changes[name] = asJsonText(floatText(change));
  };
  add('pct_change', older[0], BEGINNING);
  add('pct_change_12m', newestUpTo(older, before, tolerance), addDays(before, -(tolerance ?? 0)));
  return Object.keys(changes).length === 0 ? printText(print) : patchRow(print.text, changes);
}

async function membersOf(
  view: PageView<CommodityArgs>,
  page: readonly Print[],
  cadence: Cadence | undefined,
): Promise<Envelope> {
  const { stored, labels, now } = view;
  const newest = await view.edge('newest');
  const latest = newest && parseObject(newest);
  const latestDate = typeof latest?.date === 'string' ? latest.date : undefined;
  const includesLatest = latestDate === undefined ? undefined : page[0]?.date === latestDate;
  const hasData = await hasRows(view);
  const rows = (await view.window()).map(parseObject);
  return {
    currency: 'USD',
    has_official_forecast: stored.has_official_forecast ?? false,
    source: stored.source ?? labels.storage,
    provenance: stored.provenance ?? {
      publisher: stored.source ?? null,
      storage: labels.storage,
      served_by: '/v1/commodities/{indicator}',
      timestamp_field: 'announcement_datetime',
      value_field: 'val',
      source_store: labels.storage,
    },
    last_updated: lastUpdated(latest),
    latest_available_date: latestDate,
    data_quality: historyQuality({
      rows,
      stored,
      latest: latestDate,
      today: dateOf(now * 1000),
      cadence,
      ages: true,
      hasData,
      includesLatest,
    }),
  };
}

/** When the newest row was published, in the service's spelling of instants; its date where nobody said. */
function lastUpdated(newest: JsonObject | undefined): string | undefined {
  const release = newest?.announcement_datetime;
  if (typeof release === 'number') return `${new Date(release * 1000).toISOString().slice(0, 19)}Z`;
  return typeof newest?.date === 'string' ? newest.date : undefined;
}
