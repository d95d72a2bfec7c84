/** The forecast beside each release, from the predictions of its indicator. */

import { patchRow } from '../../../contract/json/body.ts';
import { isJsonObject, type JsonObject, type JsonText, readJson, toJsonText } from '../../../contract/json/json.ts';
import { BEGINNING, instantOf } from '../../../contract/time/time.ts';
import { joinPartials, type PartialAnswer } from '../../../coverage/partial-answer.ts';
import { type MadeForecast, type Surprise, surprisesOf } from '../../../derive/announcements/surprise.ts';
import { PREDICTION_CLASSES } from '../../../derive/predictions.ts';
import announcements from '../../../endpoints/announcements/series.ts';
import coverageCurrency from '../../../endpoints/predictions/coverage-currency.ts';
import predictions from '../../../endpoints/predictions/series.ts';
import { MacroError } from '../../../errors.ts';
import type { Reply } from '../../../source/source.ts';
import type { App } from '../../app/app.ts';
import { accessWith } from '../../app/keys.ts';
import { isOn, type Options } from '../../parse/options.ts';
import type { ParsedQuestion } from '../../parse/question.ts';
import type { Listing } from '../../print/listing.ts';
import { partialTitle } from '../../print/listing-view.ts';
import type { Call } from '../command.ts';
import { type AnswerPart, askParts, partialOfParts, partRows, readPart } from './ask-parts.ts';

interface ExpectedValue {
  readonly forecast: number;
  /** Who expects it, as the contract names the kind of forecast. */
  readonly forecast_by: string;
}

export type Expectations = NonNullable<Awaited<ReturnType<typeof askForecasts>>>;

interface ForecastQuestion {
  readonly currency: string;
  readonly indicators: readonly string[];
  readonly options: Options;
  readonly now: number;
}

/** Options of a command that hold for the forecasts beside its rows as well. */
const SHARED = ['live', 'offline', 'max-age', 'start', 'end', 'as-of', 'availability'] as const;

/** Forecasts of some indicators. Undefined, with a note, where the mirror follows none or a key is needed. */
export async function askForecasts(app: App, question: ForecastQuestion) {
  const { currency, indicators, options, now } = question;
  if (indicators.length === 0) return undefined;
  const reason = await whyNot(app, question);
  if (reason !== undefined) {
    await app.note(reason, 'no_forecasts');
    return undefined;
  }
  const shared = Object.fromEntries(SHARED.map((name) => [name, options[name]]));
  const questions: ParsedQuestion[] = [];
  const forecast = await forecastOnes(app, question);
  if (forecast.length === 0) {
    const others = `macro predictions coverage ${currency.toLowerCase()} lists the forecast ones.`;
    const sentence = `Forecasts are left out: nobody forecasts ${currency} ${indicators.join(', ')}. ${others}`;
    await app.note(sentence, 'no_forecasts');
    return undefined;
  }
  for (const indicator of forecast)
    questions.push(
      await readPart(app, predictions, { words: [currency, indicator], options: { ...shared, all: true } }, now),
    );
  const parts = await askAll(app, questions, now);
  if (parts.length === 0) return undefined;
  const byName = new Map(
    parts.map((part) => [
      String(part.parsed.question.args.indicator),
      new Map(partRows(part).flatMap((row) => targetOf(row))),
    ]),
  );
  return { of: (indicator: string, period: string) => byName.get(indicator)?.get(period), parts };
}

/** Those of the indicators that anybody forecasts, as far as the list of them is known: the others need no request. */
async function forecastOnes(app: App, question: ForecastQuestion): Promise<readonly string[]> {
  const { currency, indicators, options, now } = question;
  const { live, offline } = options;
  const parsed = await readPart(app, coverageCurrency, { words: [currency], options: { live, offline } }, now);
  const [list] = await askParts(app, [parsed], now, 'may be missing');
  if (!list?.reply || list.partial) return indicators;
  const rows = partRows(list).filter((row) => row.external_prediction_source_count !== 0);
  const known = new Set(rows.map(({ indicator }) => indicator));
  return indicators.filter((indicator) => known.has(indicator));
}

/** An indicator without stored forecasts is no missing part; a note says what brings them. */
async function askAll(app: App, questions: readonly ParsedQuestion[], now: number): Promise<readonly AnswerPart[]> {
  const parts: AnswerPart[] = [];
  for (const one of questions) {
    try {
      parts.push(...(await askParts(app, [one], now, 'may be missing')));
    } catch (error) {
      if (!(error instanceof MacroError) || error.kind !== 'notFound') throw error;
      await app.note(`Forecasts are left out: ${error.message} ${error.hint ?? ''}`.trim(), 'no_forecasts');
    }
  }
  return parts;
}

async function whyNot(app: App, { currency, indicators, options }: ForecastQuestion): Promise<string | undefined> {
  const { baseUrl } = app.settings;
  const isAsked = options.offline !== true && baseUrl.value !== undefined;
  if (isAsked) {
    if (accessWith(app.platform, app.settings, baseUrl.value) !== 'keyless') return undefined;
    return 'Forecasts are left out: the service gives them to the holder of a key only. Give it with: macro auth login';
  }
  const stored = await app.mirrorIfAny();
  const series = (await stored?.mirror.find({ endpoint: predictions.id, scope: { currency } })) ?? [];
  if (series.length > 0) return undefined;
  const words = indicators.map((indicator) => `predictions ${currency.toLowerCase()} ${indicator}`);
  return `Forecasts are left out: the mirror has none of ${currency}, and no publisher offers any. With a service: macro sync ${words[0] ?? ''}`;
}

/** The expectation of the most general kind that was made last. */
function targetOf({ date, predictions: all }: JsonObject): readonly (readonly [string, ExpectedValue])[] {
  if (typeof date !== 'string' || !Array.isArray(all)) return [];
  const made = all
    .filter(isJsonObject)
    .filter((one) => typeof one.predicted_value === 'number' && one.event_compatible !== false)
    .toSorted((a, b) => rankOf(a) - rankOf(b) || String(b.generated_at).localeCompare(String(a.generated_at)));
  const [best] = made;
  if (!best || typeof best.predicted_value !== 'number') return [];
  return [[date, { forecast: best.predicted_value, forecast_by: String(best.prediction_class ?? 'unstated') }]];
}

/** A consensus says what everybody expects; a single model or bank comes after it. */
function rankOf({ prediction_class: kind }: JsonObject): number {
  return [...PREDICTION_CLASSES, kind].indexOf(kind);
}

const COLUMNS = ['forecast', 'forecast_by'] as const;

const SURPRISE_COLUMNS = ['surprise', 'surprise_in_deviations', 'surprise_source'] as const;

/** The surprise of each period, over all forecasts that there are, and the answer with the first prints. */
async function askSurprises(
  app: App,
  { expected, options, parsed, now }: { expected: Expectations; options: Options; parsed: ParsedQuestion; now: number },
): Promise<{ readonly byDate: ReadonlyMap<string, Surprise>; readonly parts: readonly AnswerPart[] }> {
  const { currency, indicator } = parsed.question.args;
  const forecasts = expected.parts.flatMap((part) => partRows(part).flatMap(madeForecasts));
  const [oldest] = forecasts.map(({ date }) => date).sort();
  if (oldest === undefined) return { byDate: new Map(), parts: [] };
  const shared = Object.fromEntries([...SHARED, 'origin'].map((name) => [name, options[name]]));
  const words = [String(currency), String(indicator)];
  const asked = { ...shared, start: oldest, revisions: 'first', all: true as const };
  const parts = await askParts(
    app,
    [await readPart(app, announcements, { words, options: asked }, now)],
    now,
    'may be missing',
  );
  const prints = parts.flatMap(partRows).flatMap(({ date, val, announcement_datetime: at }) => {
    const release = instantOf(at);
    return typeof date === 'string' && typeof val === 'number' && release !== undefined ? [{ date, val, release }] : [];
  });
  return { byDate: surprisesOf(prints, forecasts), parts };
}

/** Forecasts of which somebody states who made them and when. */
function madeForecasts({ date, predictions: all }: JsonObject): readonly MadeForecast[] {
  if (typeof date !== 'string' || !Array.isArray(all)) return [];
  return all.filter(isJsonObject).flatMap((one) => {
    const { predicted_value: val, prediction_source: source, generated_at: time } = one;
    const madeAt = instantOf(time);
    const isUsable = typeof val === 'number' && typeof source === 'string' && one.event_compatible !== false;
    return isUsable && madeAt !== undefined ? [{ date, val, source, madeAt, rank: rankOf(one) }] : [];
  });
}

/** The rows with their forecasts; the same rows where forecasts are no part of the answer, which a note says. */
export async function besideForecasts(
  app: App,
  call: Call,
  { parsed, reply, listing, now }: { parsed: ParsedQuestion; reply: Reply; listing: Listing; now: number },
) {
  const { currency, indicator, start_date: start, end_date: end } = parsed.question.args;
  const window = {
    ...(start !== undefined && { start: String(start) }),
    ...(end !== undefined && { end: String(end) }),
  };
  const asksSurprise = isOn(call.options, 'surprise');
  const expected = await askForecasts(app, {
    currency: String(currency),
    indicators: [String(indicator)],
    // The deviation of a surprise rests on all earlier ones, whatever the window.
    options: { ...call.options, ...window, ...(asksSurprise && { start: BEGINNING }) },
    now,
  });
  if (!expected) return { listing, partial: reply.partial };
  const surprises = asksSurprise
    ? await askSurprises(app, { expected, options: { ...call.options, ...window }, parsed, now })
    : undefined;
  const slug = String(indicator);
  const rowOf = (text: JsonText): JsonText => {
    const { date } = readJson<{ date?: unknown }>(text);
    const found = expected.of(slug, String(date));
    return patchRow(text, {
      forecast: toJsonText(found?.forecast ?? null),
      forecast_by: toJsonText(found?.forecast_by ?? null),
      ...(surprises && surpriseMembers(surprises.byDate.get(String(date)))),
    });
  };
  const rows = Array.from(listing.rows, rowOf);
  const mine = [reply.partial, partialOfParts([...expected.parts, ...(surprises?.parts ?? [])])].flatMap((one) =>
    one ? [one] : [],
  );
  const partial = joinPartials(mine);
  const marked = mine.length > 0 && partial ? { mirror: toJsonText(partial.mark) } : {};
  const [main, ...others] = listing.chart?.panels ?? [];
  return {
    listing: {
      ...listing,
      columns: [
        ...listing.columns.slice(0, 2),
        ...COLUMNS,
        ...(surprises ? SURPRISE_COLUMNS : []),
        ...listing.columns.slice(2),
      ],
      rows,
      body: (chosen?: readonly JsonText[]) => patchRow(listing.body(chosen ?? rows), marked),
      facts: { ...listing.facts, ...(partial && { mirror: JSON.stringify(partial.mark) }) },
      ...(listing.view && {
        view: {
          ...listing.view,
          title: withMark(listing.view.title, partial),
          lasting: withMark(listing.view.lasting ?? [], partial),
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
    partial,
  };
}

function surpriseMembers(one: Surprise | undefined): Readonly<Record<(typeof SURPRISE_COLUMNS)[number], JsonText>> {
  return {
    surprise: toJsonText(one?.surprise ?? null),
    surprise_in_deviations: toJsonText(one?.standardized ?? null),
    surprise_source: toJsonText(one?.source ?? null),
  };
}

function withMark(title: readonly string[], partial: PartialAnswer | undefined): readonly string[] {
  return [...title.filter((part) => !part.startsWith('PARTIAL')), ...partialTitle(partial)];
}
