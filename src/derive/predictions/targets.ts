import { patchRow } from '../../contract/json/body.ts';
import { asJsonText, isJsonObject, type JsonObject, type JsonText, parseObject } from '../../contract/json/json.ts';
import { memberSpans, memberTexts } from '../../contract/json/scan.ts';
import { parseInstant } from '../../contract/time/time.ts';
import { releaseOfPrint } from '../announcements/print.ts';

/** Which forecasts of a target are asked for. */
export interface ForecastFilter {
  readonly prediction_class?: string | undefined;
  readonly prediction_type?: string | undefined;
  readonly prediction_source?: string | undefined;
  readonly pre_release_only: boolean;
  readonly event_compatible_only: boolean;
  /** Unix seconds. */
  readonly as_of?: number | undefined;
}

/** A release that is forecast, with the forecasts that a question left. */
export interface Target {
  readonly text: JsonText;
  readonly row: JsonObject;
  readonly date: string;
  readonly forecasts: number;
}

/** A stored target as it is. */
export function readForecastTarget(text: JsonText): Target {
  const row = parseObject(text);
  return { text, row, date: String(row.date), forecasts: forecastsIn(text).length };
}

/**
 * The targets that have a forecast left, with those only. A release that came after `as_of` had not come yet: its time is
 * taken away.
 */
export function narrowTargets(targets: readonly Target[], filter: ForecastFilter): readonly Target[] {
  return targets.flatMap((target) => {
    const all = forecastsIn(target.text);
    const kept = all.filter((forecast) => isAsked(parseObject(forecast), filter));
    if (kept.length === 0) return [];
    const release = releaseOfPrint(target.row);
    const isAhead = filter.as_of !== undefined && release !== undefined && release > filter.as_of;
    if (kept.length === all.length && !isAhead) return [target];
    const text = patchRow(target.text, {
      ...(kept.length < all.length && { predictions: asJsonText(`[${kept.join(',')}]`) }),
      ...(isAhead && { announcement_datetime: undefined }),
    });
    return [{ ...target, text, forecasts: kept.length }];
  });
}

function forecastsIn(text: JsonText): readonly JsonText[] {
  const [list] = memberTexts(text, ['predictions']);
  return list?.startsWith('[') ? memberSpans(list).map(({ start, end }) => asJsonText(list.slice(start, end))) : [];
}

function isAsked(forecast: JsonObject, filter: ForecastFilter): boolean {
  const named = (['prediction_class', 'prediction_type', 'prediction_source'] as const).every(
    (name) => filter[name] === undefined || forecast[name] === filter[name],
  );
  if (!named || (filter.pre_release_only && forecast.is_pre_release === false)) return false;
  if (filter.event_compatible_only && forecast.event_compatible !== true) return false;
  return filter.as_of === undefined || wasMadeBy(forecast.generated_at, filter.as_of);
}

/** A forecast of unknown time is not known to any moment. */
function wasMadeBy(generatedAt: unknown, moment: number): boolean {
  const made = typeof generatedAt === 'string' ? parseInstant(generatedAt) : generatedAt;
  return typeof made === 'number' && made <= moment;
}

/** True when the question leaves every stored forecast where it is. */
export function asksEverything(filter: ForecastFilter): boolean {
  const { prediction_class, prediction_type, prediction_source, event_compatible_only, as_of } = filter;
  const named = [prediction_class, prediction_type, prediction_source, as_of];
  return !event_compatible_only && named.every((value) => value === undefined);
}

/** An official forecast that was published by a moment; one without a time counts from its day's end. */
export function wasPublishedBy(forecast: unknown, moment: number): boolean {
  if (!isJsonObject(forecast)) return false;
  const { publication_datetime: exact, publication_date: day } = forecast;
  const time = typeof exact === 'string' ? parseInstant(exact) : exact;
  if (typeof time === 'number') return time <= moment;
  const start = typeof day === 'string' ? parseInstant(day) : undefined;
  return start !== undefined && start + 86_399 <= moment;
}
