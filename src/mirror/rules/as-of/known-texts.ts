import { patchRow } from '../../../contract/json/body.ts';
import { asJsonText, type JsonText } from '../../../contract/json/json.ts';
import type { Availability } from '../../../contract/time/moments.ts';
import type { KnownRow, KnownText, KnownTextsAsk } from '../../api/series.ts';
import { parseStoredRow } from '../columns.ts';
import type { Table } from '../tables.ts';
import type { RowVersion, StoredRowVersion } from '../vintages.ts';
import { type CommitClock, undoneOfRow } from './dated.ts';
import { saysOfNeighbours } from './past-row.ts';
import { historyIn } from './past-stored.ts';
import { rowTimeline, type StoredTimeline, storedRows, type TimelineContext, timelineContext } from './timeline.ts';

/** A text that answers from a moment (milliseconds) on; undefined where the row is gone from then on. */
interface Step {
  readonly at: number;
  readonly text: JsonText | undefined;
}

/** Every text that answers at some moment have of rows that changed after a commit, oldest row first. */
export function knownTexts(table: Table, stored: StoredTimeline, ask: KnownTextsAsk): readonly KnownRow[] {
  const context = timelineContext(table, stored);
  const changed = storedRows(table, stored).filter((row) => lastCommit(row) > ask.after);
  const rows = changed.map((row): KnownRow => ({ key: row.key, texts: textsOf(context, row, ask) }));
  return table.direction === 'desc' ? rows.reverse() : rows;
}

function lastCommit({ texts, listed }: StoredRowVersion): number {
  const ofTexts = texts.map(([ended, seen, refreshed]) => Math.max(ended ?? 0, seen, refreshed ?? 0));
  return Math.max(...ofTexts, ...listed.map(([, , , seen]) => seen));
}

function textsOf(context: TimelineContext, row: StoredRowVersion, ask: KnownTextsAsk): readonly KnownText[] {
  const { table, clock } = context;
  const stepsFor = (by: Availability) =>
    within(table.vintages === undefined ? textSteps(context, row, by) : timelineSteps(context, row, by), ask);
  const known = paired(stepsFor('public'), stepsFor('captured'));
  const last = row.texts.findLast(([ended]) => ended === null);
  const current = last && ask.closes === undefined ? alone(table, last[6]) : undefined;
  const place = known.findLastIndex(({ text }) => text === current);
  const isKnown = current === undefined || place >= 0;
  return [...known, ...(isKnown ? [] : [{ text: current }])].map((one, i): KnownText => {
    const from = row.texts.findLast((tuple) => alone(table, tuple[6]) === one.text) ?? row.texts.at(-1);
    const [, seen, refreshed, release, assumed] = from ?? row.texts[0];
    const isCurrent = current !== undefined && i === (place < 0 ? known.length : place);
    const released = release ?? assumed ?? undefined;
    return { ...one, isCurrent, commit: refreshed ?? seen, seenAt: clock.at(seen), released };
  });
}

/** The text without what it says of its neighbours: that changes without the row. */
function alone(table: Table, text: string): JsonText {
  const whole = asJsonText(text);
  // Most texts name none of these members: reading them all takes a fifth of an export.
  const mayDepend = [...table.dependent].some((name) => text.includes(name));
  const depends = mayDepend && saysOfNeighbours(table, parseStoredRow(text));
  return depends ? patchRow(whole, table.withoutDependent) : whole;
}

function timelineSteps(context: TimelineContext, row: StoredRowVersion, by: Availability): readonly Step[] {
  const { at, moments } = rowTimeline(context, row);
  return moments().map((moment) => {
    const then = at({ at: moment, by });
    return { at: moment, text: then && alone(context.table, then.text) };
  });
}

/** The same of a row without vintages, as `inForceConditions` selects its texts. */
function textSteps({ table, clock, undone }: TimelineContext, row: StoredRowVersion, by: Availability) {
  const { stages } = historyIn(table, row);
  const own = by === 'public' ? undoneOfRow(table, row.key, undone) : [];
  const takenBack = (commit: number) => own.find(({ since, until }) => commit >= since && commit < until);
  const spans = stages
    .filter(({ seen, ended }) => ended === undefined || !takenBack(seen))
    .map((version, i) => ({
      text: alone(table, version.text),
      from: by === 'public' ? publicFrom(version, i === 0, clock) : clock.at(version.seen),
      to: version.ended === undefined ? undefined : clock.at(takenBack(version.ended)?.until ?? version.ended),
    }));
  const moments = spans.flatMap(({ from, to }) => (to === undefined ? [from] : [from, to])).sort((a, b) => a - b);
  return moments.map((at): Step => {
    const then = spans.findLast(({ from, to }) => from <= at && (to === undefined || to > at));
    return { at, text: then?.text };
  });
}

/** A first text with a release was known then, however late it was seen; a later one not before it was seen. */
function publicFrom({ release, seen }: RowVersion, isFirst: boolean, clock: Pick<CommitClock, 'at'>): number {
  if (release === undefined) return clock.at(seen);
  return isFirst ? release * 1000 : Math.max(release * 1000, clock.at(seen));
}

/** Steps that change something, while the series is meant by its name; before the first text there is nothing to end. */
function within(steps: readonly Step[], { opens, closes }: KnownTextsAsk): readonly Step[] {
  const moved = steps.filter(({ at }) => closes === undefined || at < closes);
  if (closes !== undefined) moved.push({ at: closes, text: undefined });
  const found: Step[] = [];
  for (const { at, text } of moved) {
    const from = Math.max(at, opens ?? at);
    if (found.at(-1)?.at === from) found.pop();
    if (found.at(-1)?.text !== text) found.push({ at: from, text });
  }
  return found;
}

/** Public and captured steps that have the same text, each once, are one. */
function paired(known: readonly Step[], captured: readonly Step[]) {
  const left = [...captured];
  const both = known.map(({ at, text }) => {
    const place = left.findIndex((one) => one.text === text);
    const [own] = place < 0 ? [] : left.splice(place, 1);
    return { text, knownFrom: at, ...(own && { capturedFrom: own.at }) };
  });
  return [...both, ...left.map(({ at, text }) => ({ text, capturedFrom: at }))].sort(
    (a, b) => momentOfStep(a) - momentOfStep(b),
  );
}

function momentOfStep({ knownFrom, capturedFrom }: Pick<KnownText, 'knownFrom' | 'capturedFrom'>): number {
  return knownFrom ?? capturedFrom ?? 0;
}
