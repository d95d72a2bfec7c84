import type { SourceRange } from '../../contract/answer-members.ts';
import { etagMatches } from '../../contract/headers.ts';
import type { Envelope, MissingPart } from '../../contract/hooks.ts';
import { patchRow } from '../../contract/json/body.ts';
import {
  asJsonText,
  isJsonObject,
  type JsonObject,
  type JsonText,
  parseObject,
  toJsonText,
} from '../../contract/json/json.ts';
import { spelledLike } from '../../contract/json/scan.ts';
import { type Coverage, FIRST_DATE, FULL_COVERAGE, missingRangesIn } from '../../contract/time/coverage.ts';
import { LAST_DATE } from '../../contract/time/time.ts';
import { accessOfCaller } from '../../coverage/intervals.ts';
import { missingOfSeries } from '../../coverage/missing-parts.ts';
import { mirrorIncomplete } from '../../coverage/partial-mark.ts';
import { CATALOGUE, HISTORY } from '../../derive/announcements/series.ts';
import type { Selection, StoredSeries } from '../../mirror/api/series.ts';
import { scopeText } from '../../mirror/rules/system-rows.ts';
import { missingOfUnchecked } from '../known-spans.ts';
import { commandsOf, missingFor, notMirrored } from '../not-mirrored.ts';
import { coverageQuestion, partialOf, seriesCoverage } from '../read-coverage.ts';
import { everythingVisible, selectionOf } from '../selection.ts';
import { positionInStored } from '../stored-page.ts';
import {
  answerStateOf,
  type ChosenSeries,
  type Cut,
  type MirrorAnswer,
  type MirrorQuestion,
  versionIdentity,
} from './answer.ts';
import { chooseSeries } from './composed-answer.ts';
import { capturedOf, describes, echoOf, paginationMember, spellingOf, without } from './envelope.ts';
import { etagOf } from './inputs.ts';
import { KEYLESS_MEMBERS, keylessMembers } from './keyless.ts';
import { findSelected, type Speaker, speakersOf } from './speakers.ts';
import { type Page, reachesEnd, viewOf } from './view.ts';

/**
 * Finds the series, chooses among them, cuts the page, and names the missing parts. One series, several joined by a
 * `compose` hook, and several that speak for parts of the window are answered alike.
 * @throws MacroError of kind `incomplete` or `notFound`.
 */
export async function answerFromMirror(asked: MirrorQuestion): Promise<MirrorAnswer> {
  const { compose } = asked.question.endpoint;
  if (compose) return answerOf(asked, await chooseSeries(asked, compose));
  const { speakers, together } = await speakersOf(asked, await findSelected(asked));
  const ask = { ...asked, together };
  const [first, further] = speakers;
  if (!first) throw notMirrored(ask.question, undefined, await otherSelections(ask));
  const answer = await (further ? answerInPieces(ask, speakers) : answerOfSpeaker(ask, first));
  const { missingParts, texts, unproven = 0 } = answer;
  const notes = [...answer.notes];
  if (unproven > 0) {
    const sources = speakers.flatMap(({ series, merged }) => merged?.series ?? [series]);
    notes.push(unprovenNote(sources, unproven));
  }
  if (ask.caller.kind === 'owner' && missingParts.length > 0 && texts?.rows.length === 0) {
    const own = scopeText(first.series.scope);
    const others = (await otherSelections(ask)).filter(({ scope }) => scopeText(scope) !== own);
    if (others.length > 0) notes.push(`The mirror also has: ${commandsOf(others)}.`);
  }
  return { ...answer, notes };
}

async function answerOfSpeaker(ask: MirrorQuestion, { series, merged }: Speaker): Promise<MirrorAnswer> {
  const part = merged ? { ...ask, merged } : ask;
  return answerOf(part, await chooseOne(part, series));
}

/** The validator comes first; the received envelope is served where nothing changed, else a computed one. */
async function answerOf(ask: MirrorQuestion, choice: ChosenSeries): Promise<MirrorAnswer> {
  const { question, visible, labels, caller } = ask;
  const { endpoint } = question;
  const { picked, state, captured } = choice;
  const identity = versionIdentity(ask, state);
  // If no position is given, the start of a cursor walk moves with the clock.
  const isMoving = ask.once || (endpoint.compose && endpoint.paging.kind === 'cursor');
  const etag = isMoving ? undefined : etagOf(identity);
  const asOf = Math.min(ask.now, choice.checkedAt);
  const shared = { etag, identity, receivedVersion: captured?.version, asOf };
  const unchecked = await missingOfUnchecked(ask, picked);
  if (unchecked.length === 0 && etagMatches(ask.ifNoneMatch, etag)) return { ...shared, missingParts: [], notes: [] };
  const page = await choice.cut();
  if (!page) throw notMirrored(question, await missingFor(ask));
  const isReceived = captured?.match === 'page' && !page.isHidden && describes(captured.stored, page.place);
  const cut = isReceived ? page : ((await page.derived?.()) ?? page);
  const { rows, names, place, sources, rowsName, unproven = 0 } = cut;
  const shown = { rows, ...(names && { names }) };
  const missingParts = [...cut.missingParts, ...unchecked];
  const partial =
    endpoint.compose?.wholeOnly && partialOf(question, missingParts, { checkedAt: asOf, now: ask.presentAt });
  if (partial) throw mirrorIncomplete(partial);
  const answer = { ...shared, rowsName, missingParts, notes: (caller.kind === 'owner' && cut.notes) || [] };
  if (isReceived) return { ...answer, isReceived, texts: { envelope: captured.text, ...shown } };
  const envelope: Envelope = {
    ...without(cut.envelope, KEYLESS_MEMBERS),
    ...paginationMember(endpoint, visible.args, place),
    ...(caller.kind === 'keyless' && keylessMembers(visible, cut, labels)),
  };
  const spellings = choice.named.map((series) => spellingOf(ask, series));
  const texts = { envelope: spelledLike(envelope, spellings, choice.spelled), ...shown };
  return { ...answer, texts, unproven, ...(sources && { sources }) };
}

/** Stored series with the same words and other options; for a list, the series it would name. */
function otherSelections({ question: { endpoint }, visible: { args }, reader }: MirrorQuestion) {
  const scope = Object.fromEntries(Object.keys(endpoint.at).map((name) => [name, String(args[name])]));
  const wanted = endpoint.id === CATALOGUE ? HISTORY : endpoint.id;
  return endpoint.mirror ? reader.find({ endpoint: wanted, scope }) : [];
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

/** A plain series is a composition of one. */
async function chooseOne(ask: MirrorQuestion, series: StoredSeries): Promise<ChosenSeries> {
  const { question, visible, reader, clock } = ask;
  const { endpoint } = question;
  const selection = selectionOf(endpoint, visible, clock);
  // A window that opens at now loses rows as time passes, without any change of the series.
  const moving = endpoint.mirror?.window?.opens ? [await reader.count(series, selection)] : [];
  const captured = capturedOf(ask, series);
  // Captured answers are served as they came, so the state includes whether this is one.
  const states = await answerStateOf(ask, ask.merged?.series ?? [series]);
  const state = [...states, ...moving, captured.match];
  return {
    ...{ picked: [series], state, checkedAt: series.checkedAt, captured, named: [series] },
    cut: () => cutPage(ask, series, { selection, stored: captured.stored }),
  };
}

async function cutPage(
  ask: MirrorQuestion,
  series: StoredSeries,
  { selection, stored }: { readonly selection: Selection; readonly stored: JsonObject },
): Promise<Cut> {
  const { endpoint } = ask.question;
  const covered = await seriesCoverage(coverageQuestion(ask), series, accessOfCaller(ask.caller));
  const { coverage = FULL_COVERAGE, needed } = covered ?? {};
  const missingRanges = needed ? missingRangesIn(coverage, needed) : [];
  // Rows of a page know their place only among all rows, so these are read first.
  const whole = endpoint.derive && !ask.asOf ? await ask.state.whole(series, selection) : undefined;
  const page = await readPage(ask, { series, selection, coverage });
  const envelope: Envelope = { ...describingAll(stored), ...echoOf(endpoint, ask.visible.args) };
  const cut: Cut = {
    rows: page.rows.map((row) => row.text),
    names: endpoint.body.kind === 'map' ? page.rows.map((row) => String(row.key[0])) : [],
    ...{ place: page.place, envelope, stored },
    missingParts: missingOfSeries(series, missingRanges),
    // Rows that came with a key may still be hidden from callers without one.
    isHidden: ask.caller.kind === 'keyless' && page.rows.some((row) => row.keyed === true),
  };
  return {
    ...cut,
    async derived() {
      const view = { series, selection, page, stored, coverage, whole };
      const made = (await endpoint.derive?.(viewOf(ask, view))) ?? {};
      const { rows = cut.rows, total = cut.place.total, includesLatest = cut.place.includesLatest } = made;
      return {
        ...cut,
        rows,
        rowsName: made.rowsName,
        envelope: { ...envelope, ...made.envelope },
        place: { ...cut.place, returned: rows.length, total, includesLatest },
        missingParts: missingOfSeries(series, [...missingRanges, ...(made.missingParts ?? [])]),
        unproven: made.unproven ?? 0,
        sources: [{ origin: series.origin, from: FIRST_DATE, to: LAST_DATE }],
        withheld: ask.caller.kind === 'keyless' ? await withheldIn(ask, series, selection) : [],
      };
    },
  };
}

/** The stored members that tell of the series, not of the page or the caller that they were received for. */
function describingAll(stored: JsonObject): Envelope {
  return without(stored, [...KEYLESS_MEMBERS, 'pagination', 'dataset_version']);
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
  const alone = everythingVisible(endpoint, ask.visible);
  const newest = ask.together
    ? await ask.together.end('newest')
    : (await ask.reader.rows(series, alone, { limit: 1, offset: 0 }))[0];
  const isShown = newest !== undefined && returned > 0 && String(rows[0]?.key) === String(newest.key);
  // "Yes" needs coverage: the newest stored row must be the newest that exists. A newer stored row suffices for "no".
  const includesLatest =
    isShown && !reachesEnd(ask.together?.coverage ?? coverage, newest.key[0]) ? undefined : isShown;
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

/** The answer of one series for its part of the window. */
interface Piece {
  readonly speaker: Speaker;
  readonly answer: MirrorAnswer;
  readonly envelope: JsonObject;
  readonly envelopeText: JsonText;
  /** The rows of the asked page. */
  readonly rows: readonly JsonText[];
  /** The number of rows of its part. */
  readonly total: number;
}

/** Each series answers its part of the window alone, so that nothing is computed across a seam. */
async function answerInPieces(ask: MirrorQuestion, speakers: readonly Speaker[]): Promise<MirrorAnswer> {
  const { question, visible } = ask;
  const { endpoint } = question;
  const all = speakers.flatMap((speaker) => [speaker.series, ...(speaker.merged?.series ?? [])]);
  const series = [...new Map(all.map((one) => [one.id, one])).values()];
  const seams = speakers.map(({ series: { origin }, from }) => `${origin} ${from}`);
  const identity = versionIdentity(ask, [...(await answerStateOf(ask, series)), ...seams]);
  const etag = ask.once ? undefined : etagOf(identity);
  const [limit, offset] = [Number(visible.args.limit), Number(visible.args.offset)];
  const pieces: Piece[] = [];
  let [before, taken] = [0, 0];
  for (const speaker of speakers) {
    const page = { limit: limit - taken, offset: Math.max(0, offset - before) };
    const piece = await pieceOf(ask, speaker, page);
    pieces.push(piece);
    before += piece.total;
    taken += piece.rows.length;
  }
  const shown = pieces.filter(({ total }) => total > 0);
  const lead = shown[0] ?? pieces[0];
  if (!lead) throw notMirrored(question);
  const place = { returned: taken, total: before, includesLatest: latestIn(shown, offset) };
  const envelope = patchRow(lead.envelopeText, {
    ...textsOf(togetherOf(shown, visible.args)),
    ...textsOf(paginationMember(endpoint, visible.args, place)),
  });
  const missed = pieces.flatMap(({ answer }, place) =>
    answer.missingParts.filter((missingPart) => isMissed(missingPart, place === pieces.length - 1)),
  );
  return {
    etag: missed.length > 0 ? undefined : etag,
    identity,
    asOf: Math.min(...pieces.map(({ answer }) => answer.asOf)),
    missingParts: missed,
    notes: [...new Set(shown.flatMap(({ answer }) => answer.notes))],
    unproven: pieces.reduce((sum, { answer }) => sum + (answer.unproven ?? 0), 0),
    texts: { envelope, rows: shown.flatMap(({ rows }) => rows) },
    sources: shown.map(({ speaker: { series: one, from, to } }): SourceRange => ({ origin: one.origin, from, to })),
  };
}

async function pieceOf(
  ask: MirrorQuestion,
  speaker: Speaker,
  { limit, offset }: { readonly limit: number; readonly offset: number },
): Promise<Piece> {
  const { question, visible } = ask;
  // A part from which no row is shown is asked for its count.
  const page = { limit: Math.max(1, limit), offset: limit > 0 ? offset : 0, dataset_version: undefined };
  const part = { start_date: speaker.from, end_date: speaker.to, ...page };
  const { ifNoneMatch: _, ...others } = ask;
  const answer = await answerOfSpeaker(
    {
      ...others,
      ifNoneMatch: undefined,
      once: true,
      question: { ...question, args: { ...question.args, ...part } },
      visible: { ...visible, args: { ...visible.args, ...part } },
    },
    speaker,
  );
  const { envelope: envelopeText = asJsonText('{}'), rows: all = [] } = answer.texts ?? {};
  const envelope = parseObject(envelopeText);
  // The newest row before an empty window stands for none of its own.
  const [first, further] = all;
  const isInstead = first !== undefined && !further && parseObject(first).outside_requested_window === true;
  const { pagination } = envelope;
  const total = isInstead || !isJsonObject(pagination) ? 0 : Number(pagination.total_count);
  return { speaker, answer, envelope, envelopeText, rows: isInstead || limit <= 0 ? [] : [...all], total };
}

/** Behind a seam a member that compares has nothing to compare with: no file will bring it. */
function isMissed({ range }: MissingPart, isOldest: boolean): boolean {
  return isOldest || range?.for === undefined;
}

function latestIn([newest]: readonly Piece[], offset: number): boolean | undefined {
  const { pagination } = newest?.envelope ?? {};
  if (offset > 0) return false;
  return isJsonObject(pagination) && typeof pagination.page_includes_latest_available === 'boolean'
    ? pagination.page_includes_latest_available
    : undefined;
}

/** Members that speak of the whole window, out of those of its parts. */
function togetherOf(pieces: readonly Piece[], args: MirrorQuestion['visible']['args']): Envelope {
  const envelopes = pieces.map(({ envelope }) => envelope);
  const [first, last] = [envelopes[0] ?? {}, envelopes.at(-1) ?? {}];
  const has = (name: string) => envelopes.some((envelope) => envelope[name] !== undefined);
  return {
    ...(has('requested_start_date') && { requested_start_date: args.start_date, requested_end_date: args.end_date }),
    ...(has('start_date') && { start_date: last.start_date ?? args.start_date }),
    ...(has('end_date') && { end_date: first.end_date ?? args.end_date }),
    ...(has('data_quality') && { data_quality: qualityOf(envelopes.map(({ data_quality: quality }) => quality)) }),
  };
}

/** Counts are added, a mark of any part is one of the whole, and who publishes is named once. */
function qualityOf(parts: readonly unknown[]): JsonObject {
  const qualities = parts.filter((part): part is JsonObject => isJsonObject(part as JsonObject));
  const [first = {}] = qualities;
  const valuesOf = (name: string) => qualities.map((quality) => quality[name]);
  const joined = Object.keys(Object.assign({}, ...qualities)).map((name) => {
    const values = valuesOf(name);
    if (name.endsWith('_count')) return [name, values.reduce<number>((sum, value) => sum + Number(value ?? 0), 0)];
    if (name === 'is_official' || name === 'point_in_time_safe') return [name, values.every((value) => value === true)];
    if (ANY.has(name)) return [name, values.includes(true)];
    if (name === 'source_type') return [name, new Set(values).size > 1 ? 'mixed' : first[name]];
    if (name === 'source_name') return [name, [...new Set(values)].join(', ')];
    return [name, first[name]];
  });
  return Object.fromEntries(joined.filter(([, value]) => value !== undefined));
}

const ANY: ReadonlySet<string> = new Set([
  'is_proxy',
  'is_fallback',
  'is_derived',
  'has_announcement_datetime',
  'has_assumed_release_times',
  'requested_window_has_data',
]);

function textsOf(members: Envelope): Readonly<Record<string, JsonText | undefined>> {
  return Object.fromEntries(
    Object.entries(members).map(([name, value]) => [name, value === undefined ? undefined : toJsonText(value)]),
  );
}
