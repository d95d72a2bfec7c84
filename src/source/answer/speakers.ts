/** Which series speaks for which dates of a window: the same one in every window that contains them. */
import type { Endpoint } from '../../contract/endpoint.ts';
import { isJsonObject, type Json } from '../../contract/json/json.ts';
import type { Args } from '../../contract/params/param.ts';
import {
  type Coverage,
  coverageFrom,
  FIRST_DATE,
  FULL_COVERAGE,
  missingRangesIn,
  NO_COVERAGE,
  type Range,
} from '../../contract/time/coverage.ts';
import { addDays, LAST_DATE } from '../../contract/time/time.ts';
import { placeOfPublisher } from '../../contract/words/publishers.ts';
import { accessOfCaller } from '../../coverage/intervals.ts';
import { earlier, later } from '../../coverage/missing-parts.ts';
import { firstWitness, newestWitness, sharedNameOf, type Witness } from '../../coverage/period-source.ts';
import { askedDates } from '../../coverage/windows.ts';
import { isListingVintages } from '../../derive/announcements/vintages.ts';
import { MacroError } from '../../errors.ts';
import type { RowPage, StoredSeries } from '../../mirror/api/series.ts';
import { seriesOfQuestion, unkeptArguments } from '../question.ts';
import { coverageQuestion, seriesCoverage } from '../read-coverage.ts';
import { everythingVisible } from '../selection.ts';
import type { MergedVintages, MirrorQuestion, Together } from './answer.ts';
import { membersOf } from './envelope.ts';
import { asksForPrints, asksForVintages, mergedVintages, witnessOf } from './witnesses.ts';

/** A part of the asked window, and the series that answers it. */
export interface Speaker {
  readonly series: StoredSeries;
  readonly from: string;
  readonly to: string;
  /** Where the series has several sources and the question is about vintages. */
  readonly merged?: MergedVintages;
}

interface Speaking {
  readonly speakers: readonly Speaker[];
  readonly together?: Together;
}

/** A series that may speak, and what decides about it. */
interface Candidate {
  readonly series: StoredSeries;
  readonly coverage: Coverage;
  /** 0 for a service, 1 for official publishers, 2 for private tables. */
  readonly rank: number;
  /** The place of an official publisher in the list of publishers; 0 for others. */
  readonly place: number;
  /** Sources of one series share it. */
  readonly group: string;
  /** Key of its newest row. */
  readonly reach: string;
  readonly listsVintages: boolean;
}

/**
 * The parts of the window. For each date the first series that covers it speaks: the service's, then those of official
 * publishers in the order of docs/imports.md, then private tables. Several sources of one series are one: for each period
 * the source with the asked vintage speaks. A date that nobody covers belongs to a neighbour.
 */
export async function speakersOf(ask: MirrorQuestion, found: readonly StoredSeries[]): Promise<Speaking> {
  const { endpoint } = ask.question;
  const { mirror: mapping, paging } = endpoint;
  if (!mapping) return { speakers: [] };
  const window = askedDates(mapping, { args: ask.visible.args, now: ask.clock, newest: undefined });
  const [only, further] = found;
  if (!further) return { speakers: only ? [{ series: only, ...window }] : [] };
  const ranked = rankedBy(await Promise.all(found.map((series) => candidateOf(ask, series))), asksForPrints(ask));
  const [first] = ranked;
  if (!first) return { speakers: [] };
  const isSplit = mapping.window?.unit === 'date' && paging.kind === 'offset' && endpoint.body.kind === 'list';
  if (!isSplit) return { speakers: [{ series: first.series, ...window }] };
  const witnesses = mapping.vintages === undefined ? [] : await witnessesOf(ask, ranked);
  const parts = joined(partsOf(ranked, window).flatMap((part) => byPeriod(part, { ask, ranked, witnesses })));
  const isNewestFirst = mapping.order === 'newest';
  return { speakers: isNewestFirst ? parts.toReversed() : parts, together: togetherOf(ask, ranked, isNewestFirst) };
}

/** The sources of a series as one: the same in every window. */
function togetherOf(
  { question, visible, reader }: MirrorQuestion,
  ranked: readonly Candidate[],
  isNewestFirst: boolean,
) {
  const seen = everythingVisible(question.endpoint, visible);
  const parts = partsOf(ranked, { from: seen.from ?? FIRST_DATE, to: LAST_DATE });
  const inOrder = isNewestFirst ? parts.toReversed() : parts;
  const rowsOf = ({ series, from, to }: Speaker, page?: RowPage) => reader.rows(series, { ...seen, from, to }, page);
  const all = ranked.map(({ coverage }) => coverage).filter(({ ranges }) => ranges.length > 0);
  const endOf = ({ ranges }: Coverage) => ranges.at(-1)?.to ?? '';
  const last = all.reduce<Coverage>((a, b) => (endOf(b) > endOf(a) ? b : a), NO_COVERAGE);
  return {
    coverage: coverageFrom(
      all.flatMap(({ ranges }) => ranges),
      last.isOpen,
    ),
    rows: async () => (await Promise.all(inOrder.map((part) => rowsOf(part)))).flat(),
    async end(which: 'newest' | 'oldest') {
      const reverse = (which === 'newest') !== isNewestFirst;
      for (const part of reverse ? inOrder.toReversed() : inOrder) {
        const [row] = await rowsOf(part, { limit: 1, offset: 0, reverse });
        if (row) return row;
      }
      return undefined;
    },
  };
}

type Sources = readonly Witness<StoredSeries>[];

/** Series with several sources, and the facts of each source. */
async function witnessesOf(ask: MirrorQuestion, ranked: readonly Candidate[]): Promise<readonly Sources[]> {
  const several = [...Map.groupBy(ranked, ({ group }) => group).values()].filter(({ length }) => length > 1);
  return Promise.all(
    several.map((members) => Promise.all(members.map(({ series, place }) => witnessOf(ask, { series, place })))),
  );
}

/** A part of one source, cut where another source of the same series has the asked vintage of a period. */
function byPeriod(
  part: Speaker,
  { ask, ranked, witnesses }: { ask: MirrorQuestion; ranked: readonly Candidate[]; witnesses: readonly Sources[] },
): readonly Speaker[] {
  const sources = witnesses.find((group) => group.some(({ source }) => source.id === part.series.id));
  if (!sources) return [part];
  const merged = asksForVintages(ask.visible.args) ? mergedVintages(sources) : undefined;
  const newest = newestWitness(sources);
  const first = ask.visible.args.revisions === 'first' ? firstWitness(sources) : newest;
  const dates = [...new Set(sources.flatMap(({ periods }) => [...periods.keys()]))]
    .filter((date) => date >= part.from && date <= part.to)
    .sort();
  const runs: Speaker[] = [];
  for (const date of dates) {
    const { source: series = part.series } = first(date) ?? newest(date) ?? {};
    const last = runs.at(-1);
    if (last?.series.id === series.id) runs[runs.length - 1] = { ...last, to: date };
    else runs.push({ series, from: date, to: date });
  }
  const members = ranked.filter(({ series }) => sources.some(({ source }) => source.id === series.id));
  // Between two runs, before the first and behind the last one, whoever covers the dates speaks.
  const between = [...runs, undefined].flatMap((run, i) => {
    const before = runs[i - 1];
    const rest = {
      from: before ? addDays(before.to, 1) : part.from,
      to: run ? addDays(run.from, -1) : part.to,
    };
    if (rest.from > rest.to) return [];
    const rankOf = ({ series: { id } }: Candidate) => (id === before?.series.id ? 0 : id === run?.series.id ? 1 : 2);
    return partsOf(
      members.toSorted((a, b) => rankOf(a) - rankOf(b)),
      rest,
    );
  });
  const speakers = merged ? [...runs, ...between].map((one) => ({ ...one, merged })) : [...runs, ...between];
  return speakers.toSorted((a, b) => (a.from < b.from ? -1 : 1));
}

async function candidateOf(ask: MirrorQuestion, series: StoredSeries): Promise<Candidate> {
  const { reader, visible, question, caller } = ask;
  // Rows hidden without a key count as missing here: the service does not answer for them.
  const covered = await seriesCoverage({ ...coverageQuestion(ask), isKeyless: false }, series, accessOfCaller(caller));
  const seen = everythingVisible(question.endpoint, visible);
  const ends = await Promise.all(
    [false, true].map((reverse) => reader.rows(series, seen, { limit: 1, offset: 0, reverse })),
  );
  const keys = ends.flat().map(({ key }) => String(key[0]));
  const [text] = ends.flat().map((row) => row.text);
  const { source_series_id: id } = membersOf(ask, series);
  const [, publisher] = /^import:(.*)$/.exec(series.origin) ?? [];
  const place = publisher === undefined ? undefined : placeOfPublisher(publisher);
  return {
    series,
    coverage: covered?.coverage ?? FULL_COVERAGE,
    rank: publisher === undefined ? 0 : place === undefined ? 2 : 1,
    place: place ?? 0,
    group:
      publisher !== undefined && place !== undefined && typeof id === 'string'
        ? sharedNameOf(publisher, id)
        : series.origin,
    reach: keys.toSorted().at(-1) ?? '',
    listsVintages: text !== undefined && isListingVintages(text),
  };
}

/** Candidates that know nothing at the moment of the question come last. */
function rankedBy(candidates: readonly Candidate[], asksPrints: boolean): readonly Candidate[] {
  const groups = Map.groupBy(candidates, ({ group }) => group);
  const groupPlace = ({ group }: Candidate) => Math.min(...(groups.get(group) ?? []).map(({ place }) => place));
  const orders: readonly ((one: Candidate) => number)[] = [
    ({ reach }) => Number(reach === ''),
    ({ rank }) => rank,
    ...(asksPrints ? [({ listsVintages }: Candidate) => Number(!listsVintages)] : []),
    groupPlace,
  ];
  return candidates.toSorted((a, b) => {
    for (const order of orders) {
      const [x, y] = [order(a), order(b)];
      if (x !== y) return x < y ? -1 : 1;
    }
    if (a.reach !== b.reach) return a.reach > b.reach ? -1 : 1;
    return a.series.origin < b.series.origin ? -1 : 1;
  });
}

/** The window cut into parts, oldest first. */
function partsOf(ranked: readonly Candidate[], window: Range): readonly Speaker[] {
  const parts: Speaker[] = [];
  let left: readonly Range[] = [window];
  for (const { series, coverage } of ranked) {
    const { ranges } = coverage;
    for (const range of ranges)
      for (const part of left) {
        const [from, to] = [later(range.from, part.from), earlier(range.to, part.to)];
        if (from <= to) parts.push({ series, from: String(from), to: String(to) });
      }
    left = left.flatMap((part) => missingRangesIn({ ranges, isOpen: false }, part));
  }
  const sorted = parts.toSorted((a, b) => (a.from < b.from ? -1 : 1));
  const furthest = ranked.toSorted((a, b) => (a.reach > b.reach ? -1 : Number(a.reach < b.reach)))[0] ?? ranked[0];
  const uncovered = left.flatMap(({ from, to }): readonly Speaker[] => {
    const range = { from: String(from), to: String(to) };
    const before = sorted.findLast((part) => part.to < range.from);
    const after = sorted.find((part) => part.from > range.to);
    const series = after ? (before ?? after).series : (furthest ?? before)?.series;
    return series ? [{ series, ...range }] : [];
  });
  return [...parts, ...uncovered].toSorted((a, b) => (a.from < b.from ? -1 : 1));
}

/** Parts that touch and have one series are one. */
function joined(parts: readonly Speaker[]): readonly Speaker[] {
  const found: Speaker[] = [];
  for (const part of parts) {
    const last = found.at(-1);
    if (last && last.series.id === part.series.id && addDays(last.to, 1) >= part.from)
      found[found.length - 1] = { ...last, to: part.to };
    else found.push(part);
  }
  return found;
}

/** The series of a question: by its arguments, else the canonical one, if it offers the asked choice. */
export async function findSelected(ask: MirrorQuestion): Promise<readonly StoredSeries[]> {
  const { question, visible, reader } = ask;
  const { endpoint } = question;
  const sameMode = withSameMode(ask, await reader.find(seriesOfQuestion(endpoint, visible.args)));
  const selectors = selectorsOf(endpoint).filter((name) => visible.args[name] !== undefined);
  if (sameMode.length > 0 || selectors.length === 0) return sameMode;
  const canonical = await reader.find(seriesOfQuestion(endpoint, withoutAll(visible.args, selectors)));
  return withSameMode(ask, canonical).filter((series) => {
    const stored = membersOf(ask, series);
    for (const name of selectors) refuseUnoffered(name, visible.args[name], stored.supported_options);
    const { selected_series: selected } = stored;
    return isJsonObject(selected) && selectors.every((name) => selected[name] === visible.args[name]);
  });
}

/** The series that have the asked modes anyway, by their envelopes; no sync brings other modes. */
function withSameMode(ask: MirrorQuestion, stored: readonly StoredSeries[]): readonly StoredSeries[] {
  const { endpoint } = ask.question;
  const { args } = ask.visible;
  const modes = endpoint.mirror?.sameAnyway ?? {};
  const requested = unkeptArguments(endpoint, args).filter((name) => modes[name] !== undefined);
  const missingModeOf = (series: StoredSeries) => requested.find((name) => !modes[name]?.(membersOf(ask, series)));
  const same = stored.filter((series) => missingModeOf(series) === undefined);
  const [first] = stored;
  const option = first && missingModeOf(first);
  if (same.length > 0 || !first || option === undefined) return same;
  const offered = String(endpoint.query[option]?.fallback?.(''));
  throw unoffered({
    option,
    value: args[option],
    offered: [offered],
    supported: membersOf(ask, first).supported_options,
  });
}

function selectorsOf({ mirror, query }: Endpoint): readonly string[] {
  return (mirror?.scope ?? []).filter((name) => query[name] !== undefined && query[name].fallback === undefined);
}

function withoutAll(args: Args, names: readonly string[]): Args {
  return Object.fromEntries(Object.entries(args).filter(([name]) => !names.includes(name)));
}

/** A choice that the series does not offer is the service's 400; what it offers is not known of every series. */
function refuseUnoffered(option: string, value: Args[string], supported: Json | undefined): void {
  const offered = isJsonObject(supported) ? supported[option] : undefined;
  if (!Array.isArray(offered) || offered.includes(String(value))) return;
  throw unoffered({ option, value, offered, supported });
}

function unoffered(refused: {
  readonly option: string;
  readonly value: Args[string];
  readonly offered: readonly Json[];
  readonly supported: Json | undefined;
}): MacroError {
  const { option, value, offered, supported } = refused;
  return new MacroError('usage', `'${option}=${value}' is not offered for this series.`, {
    status: 400,
    code: 'unsupported_series_option',
    hint:
      offered.length > 0 ? `It offers: ${offered.join(', ')}.` : `Leave out ${option}: the series offers no choice.`,
    extra: { option, value, supported_values: offered, supported_options: supported },
  });
}
