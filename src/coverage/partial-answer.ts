import { MAX_LISTED, type Missing, type PartialMark } from '../contract/answer-members.ts';
import type { MissingPart } from '../contract/hooks.ts';
import { joinRanges, type Range } from '../contract/time/coverage.ts';
import { BEGINNING, isCalendarDate, isoSeconds, parseInstant } from '../contract/time/time.ts';

/** The missing parts of an answer, and the commands that bring them. */
export interface PartialAnswer {
  readonly mark: PartialMark;
  readonly missingParts: readonly MissingPart[];
  /** Commands as they are typed; none that could bring what the service itself does not hold. */
  readonly cures: readonly string[];
  /** Parts that no command can bring any more. */
  readonly lost?: GonePart;
  readonly holder: 'mirror' | 'service';
}

/** A part that is gone for good: what happened, and the command that asks for what lies behind it. */
export interface GonePart {
  readonly text: string;
  readonly goOn: string;
}

/** The missing parts that an answer of the service names itself. */
export function servicePartial(mark: PartialMark): PartialAnswer {
  return { mark, missingParts: [], cures: [], holder: 'service' };
}

/** The missing parts of several pages: each part once, as of the oldest check. */
export function joinPartials(all: readonly PartialAnswer[]): PartialAnswer | undefined {
  const [first, ...others] = all;
  if (!first || others.length === 0) return first;
  const missing = mergeMissing(all.flatMap(({ mark }) => mark.missing));
  const looks = all.map(({ mark }) => mark.checked_at);
  const isCut = missing.length > MAX_LISTED || all.some(({ mark }) => mark.truncated);
  return {
    mark: {
      complete: false,
      missing: missing.slice(0, MAX_LISTED),
      ...(isCut && { truncated: true as const }),
      ...(looks.every((at) => at !== undefined) && { checked_at: looks.reduce((a, b) => (a < b ? a : b)) }),
    },
    missingParts: all.flatMap(({ missingParts }) => missingParts),
    cures: [...new Set(all.flatMap(({ cures }) => cures))],
    ...(first.lost && { lost: first.lost }),
    holder: first.holder,
  };
}

/** Missing parts, each once, overlapping or touching ranges of one series joined at the place of the first. */
export function mergeMissing(missing: readonly Missing[]): readonly Missing[] {
  const groups = new Map<string, Part[]>();
  missing.forEach((one, place) => {
    const part = partOf(one, place);
    const name = JSON.stringify([one.series, one.for, part.form]);
    const group = groups.get(name);
    if (group) group.push(part);
    else groups.set(name, [part]);
  });
  return [...groups.values()]
    .flatMap(mergedParts)
    .sort((a, b) => a.place - b.place)
    .map(({ missing: one }) => one);
}

/** Days, moments and seconds do not compare with each other; a part without a range is a whole series. */
type Form = 'whole' | 'days' | 'moments' | 'bounds';

interface Part {
  readonly place: number;
  readonly missing: Missing;
  readonly form: Form;
  readonly range: Range;
}

const NOTHING: Range = { from: '', to: '' };

function partOf(missing: Missing, place: number): Part {
  const { to } = missing;
  const from = missing.from ?? (to === undefined || typeof to === 'number' ? to : BEGINNING);
  if (from === undefined || to === undefined) return { place, missing, form: 'whole', range: NOTHING };
  const [first, last] = [secondsOf(from), secondsOf(to)];
  // The next moment is a second later, which a text does not show.
  if (first !== undefined && last !== undefined)
    return { place, missing, form: 'moments', range: { from: first, to: last } };
  return { place, missing, form: isDay(from) && isDay(to) ? 'days' : 'bounds', range: { from, to } };
}

const isDay = (bound: string | number): boolean => typeof bound === 'string' && isCalendarDate(bound);

/** Unix seconds of a moment that is spelled as we spell moments. */
function secondsOf(bound: string | number): number | undefined {
  if (typeof bound !== 'string' || isDay(bound)) return undefined;
  const seconds = parseInstant(bound);
  return seconds !== undefined && isoSeconds(seconds) === bound ? seconds : undefined;
}

type Placed = Pick<Part, 'place' | 'missing'>;

function mergedParts(parts: readonly Part[]): readonly Placed[] {
  return joinRanges(parts.map(({ range }) => range)).flatMap((range): readonly Placed[] => {
    const [first] = parts.filter((part) => range.from <= part.range.from && part.range.to <= range.to);
    if (!first) return [];
    if (first.form === 'whole') return [first];
    const spell = (bound: Range['from']) => (first.form === 'moments' ? isoSeconds(Number(bound)) : bound);
    const { from: _, to: __, ...others } = first.missing;
    const begin = spell(range.from);
    // Nobody knows where a series begins that is missing from its beginning.
    const isFromFirst = typeof begin === 'string' && begin.slice(0, BEGINNING.length) <= BEGINNING;
    return [{ place: first.place, missing: { ...(!isFromFirst && { from: begin }), to: spell(range.to), ...others } }];
  });
}
