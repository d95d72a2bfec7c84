import { patchRow } from '../../../contract/json/body.ts';
import {
  float,
  isJsonObject,
  type JsonObject,
  type JsonText,
  readJson,
  toJsonText,
} from '../../../contract/json/json.ts';
import { isoSeconds } from '../../../contract/time/time.ts';
import { checkRate } from '../pairs/consistency.ts';
import { pairText } from '../pairs/paths.ts';
import { fileSource, isTimedFile } from './imported.ts';
import type { Rate } from './rates.ts';

/** The `source` member of a rate: as its source's row told it, of a cross that of the first leg. */
export function sourceOfRate({ parts, sourceId }: Rate): JsonObject {
  const [part] = parts;
  if (!part) return { id: sourceId };
  if (isTimedFile(part)) return fileSource(part);
  const { source }: JsonObject = readJson(part.text); // stored rows are JSON objects
  return isJsonObject(source) ? source : { id: sourceId };
}

/**
 * A row of reference rates. One of the service's own stays as it was spelled, but for the legs when they are not wanted; one
 * that is made here says what it was made from.
 */
export function referenceRow(rate: Rate, includeLegs: boolean): JsonText {
  if (rate.text !== undefined) {
    if (includeLegs || !rate.text.includes('"source_legs"')) return rate.text;
    return patchRow(rate.text, { source_legs: undefined });
  }
  return toJsonText({
    date: rate.date,
    timestamp_utc: isoSeconds(rate.at),
    timestamp_type: rate.type,
    ...(rate.assumed && { timestamp_assumed: true }),
    ...ratePrices(rate),
    ...originOfRate(rate),
    pair_consistency_check: checkRate(rate.path, rate, rate.price),
    ...(includeLegs && { source_legs: legsOf(rate) }),
  });
}

/** A row of intraday rates, in the words of that route. */
export function intradayRow(rate: Rate): JsonText {
  return toJsonText({
    timestamp: isoSeconds(rate.at),
    ...ratePrices(rate),
    reference_date: rate.date,
    timestamp_type: `official_${rate.type}`,
    ...originOfRate(rate),
  });
}

/** The rate under both of its names. */
export function ratePrices({ price }: { readonly price: number }) {
  return { price: float(price), val: float(price) };
}

/** Where a rate comes from. */
export function originOfRate(rate: Rate) {
  return {
    source: sourceOfRate(rate),
    source_pair: rate.sourcePair,
    is_derived: rate.isDerived,
    derivation_method: rate.path.method,
    ...(rate.path.anchor !== undefined && { anchor_currency: rate.path.anchor }),
  };
}

function legsOf({ path, parts, sourceId }: Rate) {
  return path.legs.map(({ pair }, place) => {
    const part = parts[place];
    return {
      pair: pairText(pair),
      source: sourceId,
      ...(part && { timestamp_utc: isoSeconds(part.at), price: float(part.val) }),
    };
  });
}
