import {
  MAX_LISTED,
  MIRROR_INCOMPLETE,
  type Missing,
  type PartialMark,
  type SourceRange,
  type WholeMark,
} from '../contract/answer-members.ts';
import { type Endpoint, wordsFor } from '../contract/endpoint.ts';
import type { MissingPart } from '../contract/hooks.ts';
import { addMember, MARK_MEMBER } from '../contract/json/body.ts';
import { type JsonText, toJsonText } from '../contract/json/json.ts';
import { EVENTS_KEPT } from '../contract/release-event.ts';
import type { Range } from '../contract/time/coverage.ts';
import { dateOf, isoSeconds } from '../contract/time/time.ts';
import { MacroError } from '../errors.ts';
import { OPEN_END } from './intervals.ts';
import { type GonePart, mergeMissing, type PartialAnswer } from './partial-answer.ts';

/** When what an answer rests on was last checked, in milliseconds, 0 for never. */
interface Moments extends GoneBy {
  readonly checkedAt: number;
  /** Who speaks for which dates, where there are several. */
  readonly sources?: readonly SourceRange[] | undefined;
}

/** A missing part with the endpoint of its series; undefined for one of another version. */
export interface KnownPart extends MissingPart {
  readonly endpoint: Endpoint | undefined;
}

/** The mark of an answer, and the commands that complete it; undefined where nothing is missing. */
export function partialFor(
  asked: Endpoint,
  missingParts: readonly KnownPart[],
  { checkedAt, sources = [], ...known }: Moments,
): PartialAnswer | undefined {
  if (missingParts.length === 0) return undefined;
  const named = missingParts.map((missingPart) => ({ ...missingPart, words: wordsOfPart(missingPart) }));
  const [first] = named;
  const isOwn = first?.series.endpoint === asked.id && named.every(({ words }) => words === first.words);
  const missing = named.map(({ words, range, endpoint }) => ({
    ...(range && spelled(range, endpoint)),
    ...(range?.for !== undefined && { for: range.for }),
    ...((!isOwn || !range) && { series: words }),
  }));
  const listed = mergeMissing(missing);
  return {
    mark: {
      complete: false,
      missing: listed.slice(0, MAX_LISTED),
      ...(listed.length > MAX_LISTED && { truncated: true as const }),
      ...(sources.length > 1 && { sources }),
      ...(checkedAt > 0 && { checked_at: isoSeconds(Math.floor(checkedAt / 1000)) }),
    },
    missingParts: missingParts.map(({ endpoint: _, ...part }) => part),
    cures: curesOf(
      named.filter((missingPart) => !isGone(missingPart, known)),
      known.now,
    ),
    ...gonePartOf(named, known),
    holder: 'mirror',
  };
}

/** The refusal of a question that the mirror can answer in part only: no wait mends it, a sync does. */
export function mirrorIncomplete({ mark, cures, lost, holder }: PartialAnswer): MacroError {
  const parts = missingTexts(mark.missing).join(', ');
  const what = parts === '' ? '' : ` Missing: ${parts}.`;
  const cure = cures.length === 0 ? '' : ` Complete it with: ${cures.join(' && ')}`;
  return new MacroError(
    'incomplete',
    `The ${holder} has only part of this answer.${what}${lost ? ` ${lost.text}` : ''}${cure}`,
    {
      status: 503,
      code: MIRROR_INCOMPLETE,
      extra: { [MARK_MEMBER]: mark },
    },
  );
}

/** Missing parts for people. A part that several members need stands once. */
export function missingTexts(missing: readonly Missing[]): readonly string[] {
  const parts = Map.groupBy(missing, ({ for: _, ...part }) => JSON.stringify(part));
  return [...parts.values()].flatMap((same) => {
    // Rows that are missing are missing for every member.
    const members = same.some((one) => one.for === undefined) ? [] : same.map((one) => one.for);
    const others = members.length > MEMBERS_NAMED ? ' and others' : '';
    const named = `${members.slice(0, MEMBERS_NAMED).join(', ')}${others}`;
    return same.slice(0, 1).map(({ for: _, ...part }) => missingText({ ...part, ...(named !== '' && { for: named }) }));
  });
}

/** Members that a sentence names; the data has them all. */
const MEMBERS_NAMED = 4;

/** One missing part for people. */
function missingText({ series, from, to, for: member }: Missing): string {
  const range =
    from !== undefined ? `${boundText(from)} to ${boundText(to)}` : to !== undefined && `up to ${boundText(to)}`;
  const what = series ?? (from !== undefined ? undefined : to === undefined ? 'all' : 'dates');
  return [what, range, member !== undefined && `for ${member}`].filter(Boolean).join(' ');
}

/** Commands that bring the missing parts; a sync brings only the future of a schedule. */
function curesOf(named: readonly (KnownPart & { readonly words: string })[], now: number): readonly string[] {
  const isOver = ({ range, reason }: MissingPart) => range && reason !== 'unchecked' && Number(range.from) * 1000 < now;
  const past = named.filter((missingPart) => isSchedule(missingPart) && isOver(missingPart));
  const synced = named.filter((missingPart) => !past.includes(missingPart)).map(({ words }) => words);
  return [
    ...(synced.length > 0 ? [`macro sync ${[...new Set(synced)].join(', ')}`] : []),
    ...new Set(past.map(({ words, range }) => `macro ${words}${scheduleWindow(range)} --live`)),
  ];
}

function isSchedule({ endpoint }: KnownPart): boolean {
  return endpoint?.mirror?.sync.kind === 'window';
}

function scheduleWindow(range: Range | undefined): string {
  const dates = [range?.from, range?.to].map((bound) => dateOf(Math.min(Number(bound), OPEN_END) * 1000));
  const [from, to] = dates;
  return Number(range?.to) >= OPEN_END ? ` --start ${from}` : ` --start ${from} --end ${to}`;
}

function boundText(bound: string | number | undefined): string {
  return typeof bound === 'number' ? isoSeconds(bound) : String(bound);
}

/** The body with the mark as its last top-level member; rows and members keep their spelling. */
export function markedBody(body: JsonText, mark: PartialMark | WholeMark): JsonText {
  return addMember(body, MARK_MEMBER, toJsonText(mark));
}

function wordsOfPart({ endpoint, series: { endpoint: id, scope } }: KnownPart): string {
  const [words] = wordsFor(endpoint, scope);
  return (words ?? [id, ...Object.values(scope)].join(' ')).toLowerCase();
}

/** A range in the terms of the window column: instants that the interface spells as ISO texts are ISO texts here. */
function spelled({ from, to }: Range, endpoint: Endpoint | undefined): Range {
  const isInstant = endpoint?.mirror?.window?.unit === 'instant';
  const spell = (bound: Range['from']) => (isInstant && typeof bound === 'number' ? isoSeconds(bound) : bound);
  return { from: spell(from), to: spell(to) };
}

/** The earliest missing moment (Unix seconds) of a feed; undefined if none is missing. */
export function firstUncovered(missingParts: readonly KnownPart[]): number | undefined {
  const from = missingParts.filter(isOfFeed).map(({ range }) => Number(range?.from));
  return from.length === 0 ? undefined : Math.min(...from);
}

/** The first second of which the service still has events, at a moment in milliseconds. */
const oldestKept = (now: number) => Math.floor(now / 1000) - EVENTS_KEPT;

function isOfFeed({ endpoint, range, reason }: KnownPart): boolean {
  return range !== undefined && reason !== 'unchecked' && endpoint?.mirror?.sync.kind === 'cursor';
}

/** When a question was asked, in milliseconds, and what the journal says that the service had lost by then. */
interface GoneBy {
  readonly now: number;
  readonly lost?: readonly GoneTime[];
}

/** Seconds of which nobody can bring the events any more. */
export interface GoneTime {
  readonly from?: number | undefined;
  readonly to?: number | undefined;
}

/** True of a missing range that ended before what the service keeps, or within what it had lost when it was asked. */
export function isGone(missingPart: KnownPart, { now, lost = [] }: GoneBy): boolean {
  if (!isOfFeed(missingPart)) return false;
  const end = Number(missingPart.range?.to);
  return end < oldestKept(now) || lost.some(({ from = 0, to = 0 }) => from <= end && end <= to);
}

/** The permanently missing part of several missing ranges; empty if a sync can still bring all of it. */
export function gonePartOf(missingParts: readonly KnownPart[], known: GoneBy): { readonly lost?: GonePart } {
  const oldest = oldestKept(known.now);
  const begun = missingParts.filter(
    (missingPart) => isGone(missingPart, known) || (isOfFeed(missingPart) && Number(missingPart.range?.from) < oldest),
  );
  if (begun.length === 0) return {};
  const ends = begun.map((missingPart) => (isGone(missingPart, known) ? Number(missingPart.range?.to) + 1 : oldest));
  const end = isoSeconds(Math.max(...ends));
  const days = EVENTS_KEPT / 86_400;
  return {
    lost: {
      text: `The service keeps events for ${days} days, so those before ${end} cannot be had any more.`,
      goOn: `macro announcements changes --since ${end}`,
    },
  };
}
