import { isJsonObject, type JsonObject } from '../../contract/json/json.ts';
import { decimalOf } from '../decimal.ts';
import { regimeOf } from './score.ts';

/** What of a row does not follow from the row itself. */
export type Doubt = 'score' | 'regime';

/** Slack for the doubles of the check itself, far below any published digit. */
const NOISE = 1e-12;

/**
 * Does a row hold together? Its score has to be the tanh of the sum of its components within what rounding can do: half a
 * unit of the last decimal of each component, and of the score. Its regime has to be that of the score, or of a score that
 * rounds to it. Undefined when both hold, or when the row does not tell enough.
 */
export function doubtOf(row: JsonObject): Doubt | undefined {
  const { val } = row;
  if (typeof val !== 'number') return undefined;
  const parts = isJsonObject(row.components) ? Object.values(row.components).filter(isNumber) : [];
  if (parts.length > 0) {
    const sum = parts.reduce((total, part) => total + part, 0);
    // The slope of tanh is at most 1, so an error of the sum is at most the same error of the score.
    const slack = parts.length * halfUnit(parts) + halfUnit([val]) + NOISE;
    if (Math.abs(Math.tanh(sum) - val) > slack) return 'score';
  }
  return regimeFits(row.regime, val) ? undefined : 'regime';
}

function regimeFits(regime: unknown, val: number): boolean {
  if (typeof regime !== 'string') return true;
  const half = halfUnit([val]);
  return [val, val - half, val + half].some((near) => regimeOf(near) === regime);
}

/** Half a unit of the last decimal that any of these numbers shows. */
function halfUnit(values: readonly number[]): number {
  const digits = Math.max(...values.map((value) => decimalOf(value)?.scale ?? 0));
  return 10 ** -digits / 2;
}

function isNumber(value: unknown): value is number {
  return typeof value === 'number';
}
