import type { PageArgs } from '../contract/endpoint.ts';
import type {
  Compose,
  Composed,
  CoveringSeries,
  Envelope,
  HookContext,
  LoadedSeries,
  StoredRef,
} from '../contract/hooks.ts';
import { patchRow } from '../contract/json/body.ts';
import { floats, type JsonObject, type JsonText, parseObject } from '../contract/json/json.ts';
import { BEGINNING, dateOf } from '../contract/time/time.ts';
import {
  countFacts,
  keptQuality,
  marksOf,
  type ReleaseFacts,
  releaseFacts,
  sourceQuality,
} from '../coverage/data-quality.ts';
import { earlier, missingOfSeriesList } from '../coverage/missing-parts.ts';
import { datesOf, madeOf, textsOf } from './places.ts';
import { confirmedAt, mergeByDate } from './rates/rates.ts';

export interface FactorArgs extends PageArgs {
  readonly currency: string;
  readonly factor: string;
  readonly start_date: string | undefined;
  readonly end_date: string | undefined;
  readonly include_components: boolean;
  readonly include_sources: boolean;
}

/** Row members that only the questions ask for that name them. */
const EXTRAS = {
  include_components: ['components'],
  include_sources: ['source_observations', 'source_endpoints'],
} as const;
const FLAGS = ['include_components', 'include_sources'] as const;

/** A factor's history: fuller answers serve simpler questions, the newest check wins. See docs/interface-endpoints.md#factors. */
export const composeFactor: Compose<FactorArgs> = {
  version: 1,
  reads: ({ currency, factor }) => [{ endpoint: 'factors', scope: { currency, factor } }],
  selectSeries: (args, stored) =>
    stored.filter((ref) => FLAGS.every((flag) => !args[flag] || ref.scope[flag] === 'true')),
  vouches: vouchingSeries,
  rowsNeeded: () => ({ columns: ['date'] }),
  build: buildFactor,
};

/** Whichever of them was confirmed last. A question for the newest snapshot needs no more than coverage of the last day. */
function vouchingSeries(
  { start_date, end_date }: FactorArgs,
  picked: readonly StoredRef[],
): CoveringSeries | undefined {
  const [newest] = [...picked].sort((a, b) => (b.checkedAt ?? 0) - (a.checkedAt ?? 0));
  if (!newest) return undefined;
  if (start_date !== undefined || end_date !== undefined) return { series: [newest] };
  const day = dateOf(newest.checkedAt ?? 0);
  return { series: [newest], window: { start_date: day, end_date: day } };
}

function buildFactor(loaded: readonly LoadedSeries[], context: HookContext<FactorArgs>): Composed | undefined {
  const ranked = [...loaded].sort((a, b) => confirmedAt(b) - confirmedAt(a));
  const [first] = ranked;
  if (!first) return undefined;
  const { args } = context;
  const all = mergeByDate(ranked.map(datedRows));
  const latest = all[0]?.date;
  const today = dateOf(context.now * 1000);
  const behind = missingOfSeriesList(ranked, { from: latest ?? BEGINNING, to: today });
  const { start_date: from, end_date: to = today } = boundsOf(args, context.now);
  const isNewest = from === undefined && args.end_date === undefined;
  // If a newer snapshot may exist, the newest stored snapshot is not the answer.
  const window = isNewest && behind.length > 0 ? [] : windowOf(args, context.now, all);
  const page = window.slice(args.offset, args.offset + args.limit);
  const end = earlier(to, today);
  return {
    envelope: envelopeOf(first.envelope, {
      context,
      window,
      latest: behind.length > 0 ? latestSaid(first, latest, today) : latest,
      shown:
        missingOfSeriesList(ranked, { from: window[0]?.date ?? BEGINNING, to: end }).length > 0 ? undefined : window[0],
    }),
    rows: page.map(({ place, of }) => stripped(of.text(place), args)),
    total: window.length,
    missingParts: isNewest ? behind : missingOfSeriesList(ranked, { from: from ?? BEGINNING, to: end }),
  };
}

/** The newest date of the whole history that the service named today; earlier statements may be old. */
function latestSaid(series: LoadedSeries, held: string | undefined, today: string): string | undefined {
  const { latest_available_date: said } = series.envelope;
  if (typeof said !== 'string' || dateOf(confirmedAt(series)) !== today) return undefined;
  return held === undefined || said >= held ? said : undefined;
}

interface Dated {
  readonly date: string;
  readonly place: number;
  readonly of: { readonly text: (place: number) => JsonText; readonly facts: ReleaseFacts };
}

function datedRows(series: LoadedSeries): readonly Dated[] {
  return madeOf(series, 'dated', () => {
    const [dates, text] = [datesOf(series), textsOf(series)];
    const of = { text, facts: releaseFacts(dates.length, text) };
    return dates.map((date, place) => ({ date, place, of }));
  });
}

/** Without dates the newest snapshot alone; `end_date` is today once the other is given. */
function windowOf(args: FactorArgs, now: number, all: readonly Dated[]): readonly Dated[] {
  const { start_date: from, end_date: to } = boundsOf(args, now);
  if (from === undefined && to === undefined) return all.slice(0, 1);
  return all.filter(({ date }) => (from === undefined || date >= from) && (to === undefined || date <= to));
}

function boundsOf({ start_date, end_date }: FactorArgs, now: number) {
  return { start_date, end_date: end_date ?? (start_date === undefined ? undefined : dateOf(now * 1000)) };
}

function stripped(text: JsonText, args: FactorArgs): JsonText {
  const row = parseObject(text);
  const names = FLAGS.flatMap((flag) => (args[flag] ? [] : EXTRAS[flag])).filter((name) => row[name] !== undefined);
  return names.length === 0 ? text : patchRow(text, Object.fromEntries(names.map((name) => [name, undefined])));
}

/** Scores of the newest row of the window, which the members beside the rows repeat. */
const REPEATED = [
  'score',
  'level_score',
  'impulse_score',
  'rate_repricing_score',
  'macro_pressure_score',
  'label',
  'stance_context',
] as const;

function envelopeOf(
  stored: JsonObject,
  facts: {
    context: HookContext<FactorArgs>;
    window: readonly Dated[];
    /** The newest date; undefined where a newer one may exist. */
    latest: string | undefined;
    /** The newest snapshot of the window; undefined where a newer one may exist. */
    shown: Dated | undefined;
  },
): Envelope {
  const { context, window, latest } = facts;
  const { args, now } = context;
  const newest = facts.shown && parseObject(facts.shown.of.text(facts.shown.place));
  // The service's statements about this very snapshot fill members that its row leaves out.
  const said: JsonObject = newest && newest.date === stored.as_of ? stored : {};
  const shown: JsonObject = newest ? { ...newest, score: newest.score ?? newest.val ?? null } : {};
  return {
    ...stored,
    currency: args.currency,
    factor: args.factor,
    as_of: newest?.date,
    ...Object.fromEntries(REPEATED.map((name) => [name, floats(shown[name] ?? said[name])])),
    latest_available_date: latest,
    last_updated:
      (latest !== undefined && stored.latest_available_date === latest ? stored : said).last_updated ?? latest,
    ...((args.start_date ?? args.end_date)
      ? boundsOf(args, now)
      : { start_date: newest?.date, end_date: newest?.date }),
    data_quality: keptQuality(stored, qualityOf(stored, { latest, window, now })),
  };
}

/** Days after which a daily score counts as stale. */
const STALE_AFTER = 7;

function qualityOf(
  stored: JsonObject,
  facts: { latest: string | undefined; window: readonly Dated[]; now: number },
): Envelope {
  const { latest } = facts;
  return marksOf({
    about: sourceQuality(stored),
    counts: countFacts(facts.window.map(({ place, of }) => of.facts(place))),
    isDerived: true,
    latest,
    today: dateOf(facts.now * 1000),
    staleAfter: STALE_AFTER,
  });
}
