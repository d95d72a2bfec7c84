import type { PageArgs } from '../../contract/endpoint.ts';
import type { Compose, Composed, HookContext, LoadedSeries } from '../../contract/hooks.ts';
import { float, type JsonText, parseObject, toJsonText } from '../../contract/json/json.ts';
import { dateOf } from '../../contract/time/time.ts';
import { byOrigin } from '../announcements/series-choice.ts';
import { earlier, lackOfAll } from '../lacks.ts';
import { doubtOf } from './doubts.ts';
import { inputRefs, observedComponents, pickInputs } from './inputs.ts';
import { COMPONENTS, LOOKBACK } from './score.ts';
import { lacksOfScores, type ScoredDay, scoredDays } from './scored.ts';

export interface SentimentArgs extends PageArgs {
  readonly start_date: string;
  readonly end_date: string;
}

const OWN = 'risk_sentiment';

/**
 * The composite score of risk appetite. The service's own scores are served as they came; a mirror that holds none but
 * holds what they are made of computes them and says so. See docs/interface.md#risk-sentiment.
 */
export const composeSentiment: Compose<SentimentArgs> = {
  version: 1,
  reads: () => [{ endpoint: OWN, scope: {} }, ...inputRefs()],
  selectSeries: (_, stored) => {
    const own = stored.filter(({ endpoint }) => endpoint === OWN);
    return own.length > 0 ? own : pickInputs(stored);
  },
  required: true,
  vouches: (_, picked) => (picked.every(({ endpoint }) => endpoint === OWN) ? { series: picked } : undefined),
  build: (loaded, context) => {
    const [own] = loaded.filter(({ ref }) => ref.endpoint === OWN).sort(byOrigin);
    return own ? servedScores(own, context) : computedScores(loaded, context);
  },
};

function servedScores(own: LoadedSeries, { args, caller }: HookContext<SentimentArgs>): Composed {
  const { start_date: from, end_date: to, limit, offset } = args;
  const rows = own.rows.map(({ columns, text }) => ({ date: String(columns.date), text }));
  const window = within(rows, from, to);
  const page = window.slice(offset, offset + limit);
  return {
    envelope: { ...own.envelope, start_date: from, end_date: to },
    rows: page.map(({ text }) => text),
    total: window.length,
    notes: caller.kind === 'owner' ? doubtNotes(page) : [],
  };
}

/** Rows of the page that do not hold together, for a person who would otherwise rely on them. */
function doubtNotes(page: readonly { readonly date: string; readonly text: JsonText }[]): readonly string[] {
  const doubts = page.map(({ date, text }) => ({ date, doubt: doubtOf(parseObject(text)) }));
  const tell = (dates: readonly string[], what: string) =>
    dates.length === 0 ? [] : [`${what} on ${dates.length} of ${page.length} days, ${dates[0]} among them.`];
  const on = (kind: string) => doubts.filter(({ doubt }) => doubt === kind).map(({ date }) => date);
  return [
    ...tell(on('score'), 'The score is not the tanh of the sum of its components'),
    ...tell(on('regime'), 'The regime is not that of the score'),
  ];
}

function computedScores(
  loaded: readonly LoadedSeries[],
  { args, labels, now }: HookContext<SentimentArgs>,
): Composed | undefined {
  const { start_date: from, end_date: to, limit, offset } = args;
  const observed = observedComponents(loaded);
  const days = scoredDays(observed);
  const lacks = lacksOfScores(observed, { from, to: earlier(to, dateOf(now * 1000)) });
  if (days.length === 0 && lacks.length === 0) return undefined;
  // The service's own scores rest on every component.
  const isShort = observed.some(({ isHeld }) => !isHeld);
  const window = within(days, from, to);
  const isHeld = (_: unknown, i: number) => (observed[i]?.observations.length ?? 0) >= LOOKBACK;
  const stored = COMPONENTS.filter(isHeld).map(({ name }) => name);
  const missing = COMPONENTS.map(({ name }) => name).filter((name) => !stored.includes(name));
  return {
    envelope: {
      start_date: from,
      end_date: to,
      component_metadata: Object.fromEntries(
        COMPONENTS.map(({ name, weight, sign }, i) => [
          name,
          { weight, sign, observation_count: observed[i]?.observations.length ?? 0, source: labels.storage },
        ]),
      ),
      data_quality: { is_derived: true, reason: 'computed_from_components', row_count: window.length },
    },
    rows: window.slice(offset, offset + limit).map(rowText),
    total: window.length,
    lacks: isShort ? [...lacks, lackOfAll(OWN, {})] : lacks,
    notes: [
      `The service's own scores are not held: these are computed from ${stored.join(', ')}.`,
      ...missing.map((name) => `${name} is held for less than ${LOOKBACK} days: its weight is spread over the others.`),
    ],
  };
}

function rowText({ date, val, regime, components }: ScoredDay): JsonText {
  const parts = Object.entries(components);
  const shown = parts.map(([name, part]) => [name, part === null ? null : float(part)] as const);
  return toJsonText({
    date,
    val: float(val),
    score: float(val),
    regime,
    risk_regime: regime,
    sentiment: regime,
    components: Object.fromEntries(shown),
    component_coverage: Object.fromEntries(parts.map(([name, part]) => [name, part !== null])),
    stored_component_count: parts.filter(([, part]) => part !== null).length,
  });
}

/** Items of a list ordered newest first whose date is inside both bounds. */
function within<T extends { readonly date: string }>(items: readonly T[], from: string, to: string): readonly T[] {
  const start = items.findIndex(({ date }) => date <= to);
  if (start < 0) return [];
  const end = items.findIndex(({ date }) => date < from);
  return items.slice(start, end < 0 ? undefined : end);
}
