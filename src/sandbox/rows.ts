import { asJsonText, type JsonObject, toJsonText } from '../contract/json/json.ts';
import { wholeRange } from '../contract/time/whole-range.ts';
import { endpointById } from '../endpoints/index.ts';
import type { NewRow, PageCommit } from '../mirror/api/mirror.ts';
import type { World } from './world.ts';

/** Identity of every sandbox: series, stamps and answers are named by it. */
export const SANDBOX_ORIGIN = 'sandbox';

/** Generated data is answered like what a key brings. */
export const SANDBOX_ACCESS = `key:${SANDBOX_ORIGIN}` as const;

/** Publisher of everything here: nothing synthetic may be taken for real. */
export const SANDBOX_LABEL = 'Sandbox (synthetic)';

/** A name that no resolver may ever answer (RFC 2606), so that no link leads to a real publisher. */
export const SANDBOX_URL = 'https://sandbox.invalid/';

/** One series, all of it. */
export interface GeneratedSeries {
  readonly endpoint: string;
  readonly scope: Readonly<Record<string, string>>;
  readonly envelope?: JsonObject;
  readonly rows: readonly NewRow[];
}

/** Members that hold measured values: these are floats on the wire, whole ones too. */
const MEASURED = `val previous_value change_from_previous pct_change_from_previous val_mom change pct_change_mom
  pct_change_yoy pct_change pct_change_12m open high low close score target ofr_fsi gold aud_usd usd_jpy weight
  predicted_value previous_val relevance sentiment ai_stance_score ai_next_meeting_probability confidence raw_score
  maturity_years level_score impulse_score rate_repricing_score macro_pressure_score coverage_ratio
  level impulse rate_repricing macro_pressure [a-z_]+_zscore`;
const WHOLE = new RegExp(`"(${MEASURED.trim().replace(/\s+/g, '|')})":(-?\\d+)(?=[,}])`, 'g');

/** A row with its text, whole measured values spelled as floats (`3.0`). */
export function rowOf(value: JsonObject, name?: string): NewRow {
  // Inside of a string the quotes would be escaped, so that the pattern finds members only.
  const text = asJsonText(JSON.stringify(value).replace(WHOLE, '"$1":$2.0'));
  return name === undefined ? { text, value } : { text, value, name };
}

/** The commit that makes a generated series the whole of what the mirror holds of it. */
export function commitOfSeries(world: World, series: GeneratedSeries): PageCommit {
  const { endpoint, scope, envelope, rows } = series;
  const mapping = endpointById(endpoint)?.mirror;
  const covered = mapping && wholeRange(mapping, world.now);
  const name = [endpoint, ...Object.values(scope)].join('/');
  return {
    series: { origin: SANDBOX_ORIGIN, endpoint, scope },
    nature: 'synthetic',
    access: SANDBOX_ACCESS,
    request: `generated ${name}`,
    // No real question reads like this, so that nothing generated is ever served as an answer captured whole.
    question: `sandbox ${name}`,
    ...(envelope && { envelope: { text: toJsonText(envelope), inputs: filledText(world) } }),
    rows,
    extent: 'replaces',
    ...(covered && { proof: { ...covered, rows: rows.length } }),
    at: world.now,
  };
}

/** What a filled data set is a function of, as one text. */
export function filledText({ seed, size, today }: Pick<World, 'seed' | 'size' | 'today'>): string {
  return `sandbox seed=${seed} size=${size} day=${today}`;
}
