/** The history of an indicator with what was expected of each release beside it. */
import { patchRow } from '../../../contract/json/body.ts';
import { type JsonText, readJson, toJsonText } from '../../../contract/json/json.ts';
import { joinShortfalls, type Shortfall } from '../../../source/coverage/shortfall.ts';
import type { Reply } from '../../../source/source.ts';
import type { App } from '../../app/app.ts';
import type { ParsedQuestion } from '../../parse/question.ts';
import type { Listing } from '../../print/listing.ts';
import { partialTitle } from '../../print/listing-view.ts';
import type { Call } from '../command.ts';
import { shortfallOfParts } from './ask-parts.ts';
import { askForecasts } from './forecasts.ts';

const COLUMNS = ['forecast', 'forecast_by'] as const;

export interface Beside {
  readonly listing: Listing;
  readonly shortfall: Shortfall | undefined;
}

/** The rows with their forecasts; the same rows where forecasts are no part of the answer, which a note says. */
export async function besideForecasts(
  app: App,
  call: Call,
  { parsed, reply, listing, now }: { parsed: ParsedQuestion; reply: Reply; listing: Listing; now: number },
): Promise<Beside> {
  const { currency, indicator, start_date: start, end_date: end } = parsed.question.args;
  const window = {
    ...(start !== undefined && { start: String(start) }),
    ...(end !== undefined && { end: String(end) }),
  };
  const expected = await askForecasts(app, {
    currency: String(currency),
    indicators: [String(indicator)],
    options: { ...call.options, ...window },
    now,
  });
  if (!expected) return { listing, shortfall: reply.shortfall };
  const slug = String(indicator);
  const rowOf = (text: JsonText): JsonText => {
    const { date } = readJson<{ date?: unknown }>(text);
    const found = expected.of(slug, String(date));
    return patchRow(text, {
      forecast: toJsonText(found?.forecast ?? null),
      forecast_by: toJsonText(found?.forecast_by ?? null),
    });
  };
  const rows = Array.from(listing.rows, rowOf);
  const mine = [reply.shortfall, shortfallOfParts(expected.parts)].flatMap((one) => (one ? [one] : []));
  const shortfall = joinShortfalls(mine);
  const marked = mine.length > 0 && shortfall ? { mirror: toJsonText(shortfall.mark) } : {};
  const [main, ...others] = listing.chart?.panels ?? [];
  return {
    listing: {
      ...listing,
      columns: [...listing.columns.slice(0, 2), ...COLUMNS, ...listing.columns.slice(2)],
      rows,
      body: (chosen) => patchRow(listing.body(chosen ?? rows), marked),
      facts: { ...listing.facts, ...(shortfall && { mirror: JSON.stringify(shortfall.mark) }) },
      ...(listing.view && {
        view: {
          ...listing.view,
          title: withMark(listing.view.title, shortfall),
          lasting: withMark(listing.view.lasting ?? [], shortfall),
        },
      }),
      ...(listing.chart &&
        main && {
          chart: {
            ...listing.chart,
            panels: [{ ...main, values: ['val', 'forecast'], dots: ['forecast'] }, ...others],
          },
        }),
    },
    shortfall,
  };
}

function withMark(title: readonly string[], shortfall: Shortfall | undefined): readonly string[] {
  return [...title.filter((part) => !part.startsWith('PARTIAL')), ...partialTitle(shortfall)];
}
