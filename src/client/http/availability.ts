import { isJsonObject, type JsonObject } from '../../contract/json/json.ts';
import { oneLine } from '../text.ts';

/** Reason of a refusal for one class of forecasts. See docs/interface.md#predictions. */
const NEEDS_KEY = 'values_require_key';

/**
 * What a refusal says of the values behind it, as a sentence: that nobody publishes them, so that a key would not help, or
 * which kinds a key opens. Undefined where it does not say.
 */
export function availabilityHint({ availability }: JsonObject): string | undefined {
  if (!isJsonObject(availability) || !isJsonObject(availability.reason)) return undefined;
  const reasons = Object.entries(availability.reason);
  if (reasons.length === 0) return undefined;
  const opened = reasons.filter(([, reason]) => reason === NEEDS_KEY).map(([name]) => oneLine(name));
  if (opened.length > 0)
    return `A key opens what is published: ${opened.join(', ')}. Give one with: macro auth login, or in MACRO_API_KEY.`;
  const official = isJsonObject(availability.official_forecasts) ? availability.official_forecasts.sources : undefined;
  const besides = Array.isArray(official) && official.length > 0 ? ' A key would show official forecasts only.' : '';
  return `Nobody publishes such values for this pair, so a key would not bring any.${besides}`;
}
