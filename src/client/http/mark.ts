import { MAX_LISTED, type Missing, type PartialMark } from '../../contract/answer-members.ts';
import { isJsonObject, type Json, objectIn } from '../../contract/json/json.ts';
import { oneLine } from '../text.ts';

/**
 * What another server says that its answer lacks. Where only a header says that something does, or the mark cannot be read,
 * nobody knows what it is.
 */
export function readMark(value: Json | undefined): PartialMark {
  const { missing, truncated, checked_at: checked } = objectIn(value);
  const parts = Array.isArray(missing) ? missing.flatMap(readMissing) : [];
  return {
    complete: false,
    missing: parts.slice(0, MAX_LISTED),
    ...((truncated === true || parts.length > MAX_LISTED) && { truncated: true }),
    ...(typeof checked === 'string' && { checked_at: oneLine(checked) }),
  };
}

function readMissing(part: Json): readonly Missing[] {
  if (!isJsonObject(part)) return [];
  const [from, to] = [boundIn(part.from), boundIn(part.to)];
  const series = typeof part.series === 'string' ? oneLine(part.series) : undefined;
  const range = from === undefined || to === undefined ? {} : { from, to };
  const missing = { ...range, ...(series !== undefined && { series }) };
  return Object.keys(missing).length === 0 ? [] : [missing];
}

function boundIn(value: Json | undefined): string | number | undefined {
  return typeof value === 'string' ? oneLine(value) : typeof value === 'number' ? value : undefined;
}
