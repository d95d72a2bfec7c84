import {
  MAX_LISTED,
  MIRROR_INCOMPLETE,
  type Missing,
  type PartialMark,
  type SourceRange,
  type WholeMark,
} from '../../contract/answer-members.ts';
import type { MissingPart } from '../../contract/hooks.ts';
import { addMember, MARK_MEMBER } from '../../contract/json/body.ts';
import { type JsonText, toJsonText } from '../../contract/json/json.ts';
import type { Range } from '../../contract/time/coverage.ts';
import { dateOf, isoSeconds } from '../../contract/time/time.ts';
import { OPEN_END } from '../../coverage/intervals.ts';
import { mergeMissing, type PartialAnswer } from '../../coverage/partial-answer.ts';
import { loadedEndpoint } from '../../endpoints/find.ts';
import { MacroError } from '../../errors.ts';
import type { Question } from '../source.ts';
import { wordsFor } from './not-mirrored.ts';
import { type GoneBy, gonePartOf, isGone } from './uncovered-times.ts';

/** When what an answer rests on was last checked, in milliseconds, 0 for never. */
interface Moments extends GoneBy {
  readonly checkedAt: number;
  /** Who speaks for which dates, where there are several. */
  readonly sources?: readonly SourceRange[] | undefined;
}

export function partialOf(
  question: Question,
  missingParts: readonly MissingPart[],
  { checkedAt, sources = [], ...known }: Moments,
): PartialAnswer | undefined {
  if (missingParts.length === 0) return undefined;
  const named = missingParts.map((missingPart) => ({ ...missingPart, words: wordsOfPart(missingPart) }));
  const [first] = named;
  const isOwn = first?.series.endpoint === question.endpoint.id && named.every(({ words }) => words === first.words);
  const missing = named.map(({ words, range, series }) => ({
    ...(range && spelled(range, series.endpoint)),
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
    missingParts,
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
  const parts = mark.missing.map(missingText).join(', ');
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

/** One missing part for people. */
export function missingText({ series, from, to, for: member }: Missing): string {
  const range =
    from !== undefined ? `${boundText(from)} to ${boundText(to)}` : to !== undefined && `up to ${boundText(to)}`;
  const what = series ?? (from !== undefined ? undefined : to === undefined ? 'all' : 'dates');
  return [what, range, member !== undefined && `for ${member}`].filter(Boolean).join(' ');
}

/** Commands that bring the missing parts; a sync brings only the future of a schedule. */
function curesOf(named: readonly (MissingPart & { readonly words: string })[], now: number): readonly string[] {
  const isOver = ({ range, reason }: MissingPart) => range && reason !== 'unchecked' && Number(range.from) * 1000 < now;
  const past = named.filter((missingPart) => isSchedule(missingPart.series) && isOver(missingPart));
  const synced = named.filter((missingPart) => !past.includes(missingPart)).map(({ words }) => words);
  return [
    ...(synced.length > 0 ? [`macro sync ${[...new Set(synced)].join(', ')}`] : []),
    ...new Set(past.map(({ words, range }) => `macro ${words}${scheduleWindow(range)} --live`)),
  ];
}

function isSchedule({ endpoint }: MissingPart['series']): boolean {
  return loadedEndpoint(endpoint)?.mirror?.sync.kind === 'window';
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

function wordsOfPart({ series: { endpoint, scope } }: MissingPart): string {
  const [words] = wordsFor(loadedEndpoint(endpoint), scope);
  return (words ?? [endpoint, ...Object.values(scope)].join(' ')).toLowerCase();
}

/** A range in the terms of the window column: instants that the interface spells as ISO texts are ISO texts here. */
function spelled({ from, to }: Range, id: string): Range {
  const isInstant = loadedEndpoint(id)?.mirror?.window?.unit === 'instant';
  const spell = (bound: Range['from']) => (isInstant && typeof bound === 'number' ? isoSeconds(bound) : bound);
  return { from: spell(from), to: spell(to) };
}
