import type { Endpoint } from '../../contract/endpoint.ts';
import { etagMatches } from '../../contract/headers.ts';
import type { Envelope } from '../../contract/hooks.ts';
import { isJsonObject, type Json, type JsonObject } from '../../contract/json/json.ts';
import { spelledLike } from '../../contract/json/scan.ts';
import type { Args } from '../../contract/params/param.ts';
import { type Coverage, FIRST_DATE, FULL_COVERAGE, missingRangesIn } from '../../contract/time/coverage.ts';
import { LAST_DATE } from '../../contract/time/time.ts';
import { evidenceFor } from '../../coverage/intervals.ts';
import { CATALOGUE, HISTORY } from '../../derive/announcements/series.ts';
import { MacroError } from '../../errors.ts';
import type { Selection, StoredSeries } from '../../mirror/api/series.ts';
import { coverageQuestion, missingOfSeries } from '../coverage/covering-series.ts';
import { evidenceOf } from '../coverage/evidence.ts';
import { missingOfUnchecked } from '../coverage/known-spans.ts';
import { notMirrored } from '../coverage/not-mirrored.ts';
import { positionInStored } from '../coverage/stored-page.ts';
import { seriesOfQuestion, unkeptArguments } from '../question.ts';
import { everythingVisible, selectionOf } from '../selection.ts';
import { answerStateOf, type MirrorAnswer, type MirrorQuestion, versionIdentity } from './answer.ts';
import { capturedOf, describes, echoOf, membersOf, paginationMember, spellingOf, without } from './envelope.ts';
import { etagOf } from './inputs.ts';
import { KEYLESS_MEMBERS, keylessMembers } from './keyless.ts';
import { momentState } from './past/moment-state.ts';
import { answerInPieces } from './pieces.ts';
import { speakersOf } from './speakers.ts';
import { type Page, reachesEnd, viewOf } from './view.ts';
import { asksForPrints } from './witnesses.ts';

/**
 * Answers from the endpoint's own series: from a single one, or from several that each answer a part of the window.
 * @throws MacroError of kind `notFound`.
 */
export async function answerFromSeries(ask: MirrorQuestion): Promise<MirrorAnswer> {
  const speakers = await speakersOf(ask, await findSelected(ask));
  const [first, further] = speakers;
  if (!first) throw notMirrored(ask.question, undefined, await otherSelections(ask));
  const answer = await (further
    ? answerInPieces(ask, speakers, answerOfSeries)
    : answerOfSeries(first.merged ? { ...ask, merged: first.merged } : ask, first.series));
  const { notes, unproven = 0 } = answer;
  if (unproven === 0) return answer;
  const sources = speakers.flatMap(({ series, merged }) => merged?.series ?? [series]);
  return { ...answer, notes: [...notes, unprovenNote(sources, unproven)] };
}

/**
 * Stored series with the same words and other options, such as another report; for a list, the series it would name.
 */
function otherSelections({ question: { endpoint }, visible: { args }, reader }: MirrorQuestion) {
  const scope = Object.fromEntries(Object.keys(endpoint.at).map((name) => [name, String(args[name])]));
  const wanted = endpoint.id === CATALOGUE ? HISTORY : endpoint.id;
  return endpoint.mirror ? reader.find({ endpoint: wanted, scope }) : [];
}

/**
 * Makes the validator first, then reads the page, and serves the stored envelope where nothing changed, else computed
 * members.
 */
async function answerOfSeries(ask: MirrorQuestion, series: StoredSeries): Promise<MirrorAnswer> {
  const { question, visible, reader, clock } = ask;
  const { endpoint } = question;
  const selection = selectionOf(endpoint, visible, clock);
  // A window that opens at now loses rows as time passes, without any change of the series.
  const moving = endpoint.mirror?.window?.opens ? [await reader.count(series, selection)] : [];
  const captured = capturedOf(ask, series);
  const { match, stored } = captured;
  // Captured answers are served as they came, so the state includes whether this is one.
  const sources = ask.merged?.series ?? [series];
  const state = [...answerStateOf(ask, sources), ...moving, match, ...(await momentState(ask, sources))];
  const identity = versionIdentity(ask, state);
  const etag = ask.once ? undefined : etagOf(identity);
  const shared = { etag, identity, receivedVersion: captured.version, asOf: series.checkedAt, notes: [] };
  const missed = await missingOfUnchecked(ask, [series]);
  if (missed.length === 0 && etagMatches(ask.ifNoneMatch, etag)) return { ...shared, missingParts: [] };
  const evidence = await evidenceOf(coverageQuestion(ask), series, evidenceFor(ask.caller));
  const { coverage = FULL_COVERAGE, needed } = evidence ?? {};
  const missingRanges = needed ? missingRangesIn(coverage, needed) : [];
  const members = (own: Envelope | undefined): Envelope => ({
    ...describingAll(stored),
    ...echoOf(endpoint, visible.args),
    ...own,
  });
  const whole = endpoint.derive && !ask.asOf ? await ask.state.whole(series, selection) : undefined;
  const page = await readPage(ask, { series, selection, coverage });
  const names = endpoint.body.kind === 'map' ? page.rows.map((row) => String(row.key[0])) : [];
  if (match === 'page' && describes(stored, page.place) && mayPass(ask, page)) {
    const texts = { envelope: captured.text, rows: page.rows.map((row) => row.text), names };
    return { ...shared, missingParts: [...missingOfSeries(series, missingRanges), ...missed], texts };
  }
  const view = { series, selection, page, stored, coverage, whole };
  const derived = (await endpoint.derive?.(viewOf(ask, view))) ?? {};
  const rows = derived.rows ?? page.rows.map((row) => row.text);
  const total = derived.total ?? page.place.total;
  const includesLatest = derived.includesLatest ?? page.place.includesLatest;
  const place = { ...page.place, returned: rows.length, total, includesLatest };
  const envelope: Envelope = {
    ...members(derived.envelope),
    ...paginationMember(endpoint, visible.args, place),
    ...(ask.caller.kind === 'keyless' &&
      keylessMembers(visible, await withheldIn(ask, series, selection), { labels: ask.labels, stored })),
  };
  const missingParts = [...missingOfSeries(series, [...missingRanges, ...(derived.missingParts ?? [])]), ...missed];
  const left = asksForPrints(ask) ? page.place.total - total : 0;
  const unproven = series.origin.startsWith('import:') ? left : 0;
  const texts = { envelope: spelledLike(envelope, [spellingOf(ask, series)]), rows, names };
  return {
    ...shared,
    unproven,
    missingParts,
    sources: [{ origin: series.origin, from: FIRST_DATE, to: LAST_DATE }],
    texts,
  };
}

function unprovenNote(series: readonly StoredSeries[], count: number): string {
  const periods = count === 1 ? '1 period is' : `${count} periods are`;
  const [first, ...others] = new Set(series.map(({ origin }) => origin));
  const sources =
    others.length > 0
      ? `none of ${[first, ...others].join(', ')} proves a first print`
      : `${first} proves no first print`;
  return `${periods} left out: ${sources} of them. A file with every vintage does, as ALFRED has them.`;
}

/** The stored members that tell of the series, not of the page or the caller that they were received for. */
function describingAll(stored: JsonObject): JsonObject {
  return without(stored, [...KEYLESS_MEMBERS, 'pagination', 'dataset_version']);
}

/** May the page be shown? Rows that came with a key may still be hidden from callers without one. */
function mayPass({ caller }: MirrorQuestion, { rows }: Page): boolean {
  return caller.kind !== 'keyless' || rows.every((row) => row.keyed !== true);
}

interface Reading {
  readonly series: StoredSeries;
  readonly selection: Selection;
  readonly coverage: Coverage;
}

async function readPage(ask: MirrorQuestion, { series, selection, coverage }: Reading): Promise<Page> {
  const { endpoint } = ask.question;
  if (endpoint.paging.kind !== 'offset') {
    const rows = await ask.reader.rows(series, selection);
    return { rows, place: { returned: rows.length, total: rows.length, includesLatest: true } };
  }
  const requestedPage = { limit: Number(ask.visible.args.limit), offset: Number(ask.visible.args.offset) };
  const order = endpoint.mirror?.order ?? 'newest';
  const storedPage = ask.asOf
    ? { ...requestedPage, missing: 0 }
    : await positionInStored(ask.reader, { series, selection, order, ...requestedPage });
  const total = (await ask.reader.count(series, selection)) + storedPage.missing;
  const rows = await ask.reader.rows(series, selection, storedPage);
  const { length: returned } = rows;
  const reached = Math.min(
    requestedPage.offset + requestedPage.limit,
    Math.max(total, requestedPage.offset + returned),
  );
  const [newest] = await ask.reader.rows(series, everythingVisible(endpoint, ask.visible), { limit: 1, offset: 0 });
  const isShown = newest !== undefined && returned > 0 && String(rows[0]?.key) === String(newest.key);
  // "Yes" needs coverage: the newest stored row must be the newest that exists. A newer stored row suffices for "no".
  const includesLatest = isShown && !reachesEnd(coverage, newest.key[0]) ? undefined : isShown;
  const place = { returned, total, includesLatest, ...(storedPage.missing > 0 && { reached }) };
  return { rows, place };
}

/** Release times that the delay keeps out of this question's window. */
async function withheldIn(ask: MirrorQuestion, series: StoredSeries, selection: Selection): Promise<readonly number[]> {
  const release = ask.question.endpoint.mirror?.release;
  const cutoff = selection.releasedBy;
  if (!release || cutoff === undefined) return [];
  const { releasedBy: _, ...undelayed } = selection;
  const hidden = (await ask.reader.count(series, undelayed)) - (await ask.reader.count(series, selection));
  if (hidden === 0) return [];
  const rows = await ask.reader.rows(series, undelayed);
  return rows
    .map((row) => row.columns[release])
    .filter((time) => typeof time === 'number' && time > cutoff) as number[]; // filtered to numbers
}

/**
 * The series of a question: by its arguments, else the canonical one. A choice that it does not offer is refused, its
 * own one answered.
 */
async function findSelected(ask: MirrorQuestion): Promise<readonly StoredSeries[]> {
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
