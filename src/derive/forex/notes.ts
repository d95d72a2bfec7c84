import { addDays, daysBetween } from '../../contract/time.ts';
import type { History, Point } from './legs.ts';
import { within } from './legs.ts';
import { STALE_AFTER_DAYS } from './metadata.ts';
import { type Pair, type Path, pairText } from './paths.ts';
import { sourcePair } from './rows.ts';

export interface NoteFacts {
  readonly asked: Pair;
  readonly path: Path;
  readonly histories: readonly History[];
  /** All dates of the answer's history, newest first. */
  readonly points: readonly Point[];
  readonly from: string;
  readonly to: string;
  readonly today: string;
  readonly failed: boolean;
}

/** Sentences that keep a person from taking a part for the whole, or an old rate for a new one. */
export function notesOf(facts: NoteFacts): readonly string[] {
  const { asked, path, histories, failed } = facts;
  const notes: string[] = [];
  if (path.method !== 'direct_original_pair') notes.push(`${pairText(asked)} is computed from ${sourcePair(path)}.`);
  for (const history of histories)
    if (!isProven(history, facts))
      notes.push(
        `The history of ${pairText(history.pair)} is not proven complete in this window: rates may be missing.`,
      );
  notes.push(...edgeNotes(facts), ...gapNotes(facts));
  const other = path.method === 'direct_original_pair' ? 'its reverse' : sourcePair(path);
  if (failed) notes.push(`A rate of ${pairText(asked)} in this window does not agree with ${other}.`);
  return notes;
}

/** How far the history falls short of the window on either side. */
function edgeNotes({ asked, points, from, to, today }: NoteFacts): readonly string[] {
  const newest = points[0]?.date;
  const oldest = points.at(-1)?.date;
  if (newest === undefined || oldest === undefined) return [`No rate of ${pairText(asked)} is held.`];
  const notes: string[] = [];
  if (daysBetween(newest, to < today ? to : today) > STALE_AFTER_DAYS)
    notes.push(
      `The newest rate of ${pairText(asked)} that is held is of ${newest}, ${daysBetween(newest, today)} days before today.`,
    );
  if (daysBetween(from, oldest) > STALE_AFTER_DAYS)
    notes.push(`Rates of ${pairText(asked)} are held from ${oldest} on.`);
  return notes;
}

/** Dates that are left out because one leg of a cross has no rate there. */
function gapNotes({ histories, points, from, to }: NoteFacts): readonly string[] {
  if (histories.length < 2) return [];
  const dates = new Set(
    histories.flatMap(({ observations }) => within(observations, from, to).map(({ date }) => date)),
  );
  const missing = dates.size - within(points, from, to).length;
  if (missing === 0) return [];
  const legs = histories.map(({ pair }) => pairText(pair)).join(' and ');
  return [`${missing} ${missing === 1 ? 'date is' : 'dates are'} left out: ${legs} do not both have a rate there.`];
}

/**
 * Every rate of the window lies inside what some origin is proven to have said completely. A date that only an unproven
 * origin knows, outside of all proven stretches, shows that others may be missing around it.
 */
function isProven({ series, observations }: History, { from, to }: NoteFacts): boolean {
  if (!series.some(({ proven }) => proven)) return false;
  const stretches = series.flatMap(({ proven, rows }) => {
    const newest = rows[0]?.columns.date;
    const oldest = rows.at(-1)?.columns.date;
    return proven && typeof newest === 'string' && typeof oldest === 'string' ? [{ from: oldest, to: newest }] : [];
  });
  const joined = joinStretches(stretches);
  const dates = within(observations, from, to);
  const [newest, oldest] = [dates[0]?.date, dates.at(-1)?.date];
  if (newest === undefined || oldest === undefined) return true;
  return joined.some((stretch) => stretch.from <= oldest && stretch.to >= newest);
}

interface Stretch {
  readonly from: string;
  readonly to: string;
}

function joinStretches(stretches: readonly Stretch[]): readonly Stretch[] {
  const joined: Stretch[] = [];
  for (const next of [...stretches].sort((a, b) => (a.from < b.from ? -1 : 1))) {
    const last = joined.at(-1);
    if (!last || next.from > addDays(last.to, 1)) joined.push(next);
    else if (next.to > last.to) joined[joined.length - 1] = { from: last.from, to: next.to };
  }
  return joined;
}
