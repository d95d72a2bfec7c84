import type { Derived, PageView } from '../../contract/hooks.ts';
import { isJsonObject, type JsonText, readJson } from '../../contract/json/json.ts';
import { MacroError } from '../../errors.ts';

export interface VintagesArgs {
  readonly currency: string;
  readonly prediction_source?: string | undefined;
  readonly variable?: string | undefined;
  readonly target_period?: string | undefined;
  readonly publication_precision?: string | undefined;
  readonly limit: number;
  readonly before_id?: string | undefined;
}

const FILTERS = ['variable', 'target_period', 'publication_precision'] as const;

/**
 * A page of the official forecasts of one source, newest id first. Ids are compared as texts: `before_id` is a position,
 * so the row that it names need not be one that the filters leave. See docs/interface.md#prediction-vintages.
 */
export function deriveVintages({ args, rows }: PageView<VintagesArgs>): Derived {
  const { before_id: before, limit } = args;
  const ahead = rows.map((text) => ({ text, id: idOf(text) })).filter(({ id }) => before === undefined || id < before);
  const page = ahead.slice(0, limit);
  const more = ahead.length > page.length;
  return {
    envelope: {
      currency: args.currency,
      prediction_source: args.prediction_source,
      filters: Object.fromEntries(FILTERS.map((name) => [name, args[name] ?? null])),
      count: page.length,
      has_more: more,
      next_cursor: more ? page.at(-1)?.id : undefined,
    },
    rows: page.map(({ text }) => text),
    total: ahead.length,
  };
}

function idOf(text: JsonText): string {
  const row: unknown = readJson(text);
  if (isJsonObject(row) && typeof row.forecast_observation_id === 'string') return row.forecast_observation_id;
  throw new MacroError('mirror', 'A held forecast has no id.', { hint: 'Run macro mirror verify.' });
}
