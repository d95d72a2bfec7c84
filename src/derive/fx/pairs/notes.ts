import { memberTexts } from '../../../contract/json/scan.ts';
import { daysBetween } from '../../../contract/time/time.ts';
import { fxPublisherOf } from '../../../contract/words/fx-publishers.ts';
import { datesWithin, dayRangeWithin } from './dates.ts';
import type { FxRoute, RoutedPoint } from './fx-route.ts';
import type { FxObservation } from './legs.ts';
import { STALE_AFTER_DAYS } from './metadata.ts';
import type { WindowFacts } from './pair.ts';
import { type Pair, pairText } from './paths.ts';
import { sourcePair } from './rows.ts';
import { datesOf, numbersOf } from './series-columns.ts';

/** How well a computed rate is known: no better than its legs, of which a file may have two digits. */
export interface NoteFacts {
  readonly pair: Pair;
  /** The routes that the rows of the window came by. */
  readonly routes: readonly FxRoute[];
  /** All routes that there are. */
  readonly all: readonly FxRoute[];
  readonly window: WindowFacts;
  readonly from: string;
  readonly to: string;
  readonly today: string;
  readonly failed: boolean;
  /** `today` is a moment of the past. */
  readonly isPast: boolean;
}

/** Share of the rate. Reference rates of four digits are not better than this, those of five and more are. */
const WORTH_TELLING = 0.0002;

/** Sentences that keep a person from taking a part for the whole, or an old rate for a new one. */
export function forexNotes(facts: NoteFacts): readonly string[] {
  const { pair, routes, failed } = facts;
  const notes = [...derivationNotes(facts), ...precisionNotes(pair, facts.window.derived())];
  notes.push(...edgeNotes(facts), ...gapNotes(facts));
  const [path, further] = routes.map((route) => route.path);
  const isDirect = path === undefined || path.method === 'direct_original_pair';
  const other = further ? 'what it is checked against' : isDirect ? 'its reverse' : sourcePair(path);
  if (failed) notes.push(`A rate of ${pairText(pair)} in this window does not agree with ${other}.`);
  return notes;
}

/** What is computed, and from what. */
function derivationNotes({ pair, routes, window }: NoteFacts): readonly string[] {
  const name = pairText(pair);
  return routes.flatMap(({ path }) => {
    if (path.method === 'direct_original_pair') return [];
    const from = `computed from ${sourcePair(path)}${publisherNamed(path.origin)}`;
    if (routes.length === 1) return [`${name} is ${from}.`];
    const count = window.paths.get(path) ?? 0;
    return [`${count} of ${window.rows} rates of ${name} ${count === 1 ? 'is' : 'are'} ${from}.`];
  });
}

/** Whose file both legs of a cross come from, where it has to be one. */
function publisherNamed(origin: string | undefined): string {
  return origin === undefined ? '' : ` of ${fxPublisherOf(origin)?.name ?? origin}`;
}

/** How far the history falls short of the window on either side. */
function edgeNotes({ pair, all, from, to, today, isPast }: NoteFacts): readonly string[] {
  const dates = all
    .flatMap(({ points }) => [points.dates[0], points.dates.at(-1)])
    .filter((date) => date !== undefined);
  const [oldest, newest] = [dates.toSorted()[0], dates.toSorted().at(-1)];
  if (newest === undefined || oldest === undefined)
    return [`No rate of ${pairText(pair)} ${isPast ? 'was known at that moment' : 'is held'}.`];
  const notes: string[] = [];
  if (daysBetween(newest, to < today ? to : today) > STALE_AFTER_DAYS)
    notes.push(
      `The newest rate of ${pairText(pair)} that is held is of ${newest}, ${daysBetween(newest, today)} days before today.`,
    );
  if (daysBetween(from, oldest) > STALE_AFTER_DAYS)
    notes.push(`Rates of ${pairText(pair)} are held from ${oldest} on.`);
  return notes;
}

/** Dates that are left out because one leg of a cross has no rate there. */
function gapNotes({ routes, from, to }: NoteFacts): readonly string[] {
  const [only, further] = routes;
  if (!only || further || only.histories.length < 2) return [];
  const { histories, points } = only;
  const stored = new Set(histories.flatMap(({ dates }) => datesWithin(dates, from, to)));
  const missing = stored.size - datesWithin(points.dates, from, to).length;
  if (missing === 0) return [];
  const legs = histories.map(({ pair }) => pairText(pair)).join(' and ');
  return [`${missing} ${missing === 1 ? 'date is' : 'dates are'} left out: ${legs} do not both have a rate there.`];
}

/** Says which leg of the computed rates of a window has so few digits that those of the result are not all known. */
function precisionNotes(pair: Pair, computed: readonly RoutedPoint[]): readonly string[] {
  const legs = new Map<string, FxObservation[]>();
  for (const { path, parts } of computed)
    for (const [leg, { pair: own }] of path.legs.entries()) {
      const part = parts[leg];
      const name = pairText(own);
      if (part?.val) legs.set(name, [...(legs.get(name) ?? []), part]);
    }
  return [...legs].flatMap(([name, observed]) => {
    const share = roundingShare(observed);
    if (share < WORTH_TELLING) return [];
    return [`${name} is published with so few digits that ${pairText(pair)} is known to about ${percent(share)} only.`];
  });
}

/** Half a unit of the last published digit, as a share of the smallest rate. */
function roundingShare(observed: readonly FxObservation[]): number {
  const smallest = Math.min(...observed.map(({ val }) => Math.abs(val ?? Number.POSITIVE_INFINITY)));
  const shareOf = (decimals: number) => (0.5 * 10 ** -decimals) / smallest;
  const own = Math.max(...observed.map(({ text }) => decimalsOf(memberTexts(text, ['val'])[0] ?? '')));
  if (shareOf(own) < WORTH_TELLING) return shareOf(own);
  return shareOf(Math.max(own, ...observed.map(decimalsAround)));
}

/** Rows to either side whose digits count for a rate: some files write 1.15 for 1.1500, and never for 60 days in a row. */
const NEIGHBOURS = 30;

function decimalsAround({ series, date }: FxObservation): number {
  const { start } = dayRangeWithin(datesOf(series), date, date);
  const around = numbersOf(series, 'val')?.subarray(Math.max(0, start - NEIGHBOURS), start + NEIGHBOURS + 1) ?? [];
  return Math.max(0, ...[...around].map((val) => (Number.isNaN(val) ? 0 : decimalsOf(String(val)))));
}

function decimalsOf(number: string): number {
  const [digits = '', exponent = '0'] = number.split('e');
  return Math.max(0, (digits.split('.')[1] ?? '').length - Number(exponent));
}

const percent = (share: number): string => `${Number((share * 100).toPrecision(1))} %`;
