import { etagMatches } from '../../contract/headers.ts';
import type { Envelope } from '../../contract/hooks.ts';
import type { JsonObject } from '../../contract/json/json.ts';
import { spelledLike } from '../../contract/json/scan.ts';
import { type Coverage, FULL_COVERAGE, holesIn } from '../../contract/time/coverage.ts';
import { perObject } from '../../derive/memory.ts';
import type { Selection, StoredSeries } from '../../mirror/api/series.ts';
import { evidenceFor, evidenceOf } from '../coverage/evidence.ts';
import { coverageQuestion, lacksOfSeries } from '../coverage/lacks.ts';
import { notMirrored } from '../coverage/not-mirrored.ts';
import { positionInStored } from '../coverage/stored-page.ts';
import { lacksOfUnseen } from '../coverage/unseen.ts';
import { everythingVisible, selectionOf } from '../selection.ts';
import { findSelected } from '../selectors.ts';
import { generationsOf, type MirrorAnswer, type MirrorQuestion, pinnedVersion, versionIdentity } from './answer.ts';
import { capturedOf } from './captured.ts';
import { describes, echoOf, paginationMember, without } from './envelope.ts';
import { etagOf } from './inputs.ts';
import { KEYLESS_MEMBERS, keylessMembers } from './keyless.ts';
import { bodyOrParts } from './parts/put-together.ts';
import { momentState } from './past/moment-state.ts';
import { preferredSeries } from './preferred.ts';
import { type Page, reachesEnd, viewOf } from './view.ts';

/**
 * Answers from the endpoint's own series. Walk: find the series (see `preferredSeries`); make the validator
 * from its generation, and stop when the caller holds that answer; read the page; serve the stored envelope as it came
 * when nothing that it depends on has changed, else compute its members over it; splice the rows' own texts in.
 * @throws MacroError of kind `notFound`.
 */
export async function answerFromSeries(ask: MirrorQuestion): Promise<MirrorAnswer> {
  const { question, visible, reader, clock } = ask;
  const { endpoint } = question;
  const preferred = await preferredSeries(ask, await findSelected(ask));
  if (!preferred) throw notMirrored(question);
  const { series } = preferred;
  const selection = selectionOf(endpoint, visible, clock);
  // A window that opens at now loses rows as time passes, without any change of the series.
  const moving = endpoint.mirror?.window?.opens ? [await reader.count(series, selection)] : [];
  const captured = capturedOf(ask, series);
  const { match, stored } = captured;
  const newestVisible = await newestVisibleRelease(ask, series);
  // What was captured is served as it came, so whether it is belongs to what an answer is.
  const state = [...generationsOf([series]), ...moving, match];
  const moment = await momentState(ask, [series]);
  const identity = versionIdentity(ask, [...state, ...moment.ofAnswer]);
  const etag = ask.once ? undefined : etagOf(identity);
  const versioned = {
    ...versionIdentity(ask, [...generationsOf([series]), ...moving, ...moment.ofRows]),
    newestVisible,
  };
  const version = pinnedVersion(ask, versioned, captured.version);
  const shared = { etag, asOf: series.checkedAt, notes: preferred.notes };
  const missed = [...(await lacksOfUnseen(ask, [series])), ...lacksOfSeries(series, preferred.elsewhere)];
  if (missed.length === 0 && etagMatches(ask.ifNoneMatch, etag)) return { ...shared, lacks: [], body: undefined };
  const evidence = await evidenceOf(coverageQuestion(ask), series, evidenceFor(ask.caller));
  const { coverage = FULL_COVERAGE, needed } = evidence ?? {};
  const holes = needed ? holesIn(coverage, needed) : [];
  const members = (own: Envelope | undefined): Envelope => ({
    ...describingAll(stored),
    ...echoOf(endpoint, visible.args),
    ...own,
    ...version,
  });
  const page = await readPage(ask, { series, selection, coverage });
  const names = page.rows.map((row) => String(row.key[0]));
  if (match === 'page' && describes(stored, page.place) && mayPass(ask, page)) {
    const texts = page.rows.map((row) => row.text);
    return {
      ...shared,
      lacks: [...lacksOfSeries(series, holes), ...missed],
      ...bodyOrParts(endpoint.body, { envelope: captured.text, rows: texts, names }, ask.inParts),
    };
  }
  const derived = (await endpoint.derive?.(viewOf(ask, { series, selection, page, stored, version, coverage }))) ?? {};
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
  const lacks = [...lacksOfSeries(series, [...holes, ...(derived.lacks ?? [])]), ...missed];
  const texts = { envelope: spelledLike(envelope, [captured.text]), rows, names };
  return { ...shared, lacks, ...bodyOrParts(endpoint.body, texts, ask.inParts) };
}

/** The stored members that tell of the series, not of the page or the caller that they were received for. */
const describingAll = perObject((stored: JsonObject) =>
  without(stored, [...KEYLESS_MEMBERS, 'pagination', 'dataset_version']),
);

/** What a key brought may hold what is not to be seen without one yet, whatever was received without one since. */
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
  const reached = Math.min(
    requestedPage.offset + requestedPage.limit,
    Math.max(total, requestedPage.offset + rows.length),
  );
  const [newest] = await ask.reader.rows(series, everythingVisible(endpoint, ask.visible), { limit: 1, offset: 0 });
  const isShown = newest !== undefined && rows[0] !== undefined && String(rows[0].key) === String(newest.key);
  // That the newest row held is the newest one that exists has to be covered; that a newer one is held says enough.
  const includesLatest = isShown && !reachesEnd(coverage, newest.key[0]) ? undefined : isShown;
  const place = { returned: rows.length, total, includesLatest, ...(storedPage.missing > 0 && { reached }) };
  return { rows, place };
}

/** The newest release or revision that the delay lets through; undefined for callers without a delay. */
async function newestVisibleRelease({ visible, reader }: MirrorQuestion, series: StoredSeries) {
  const { cutoff } = visible;
  if (cutoff === undefined) return undefined;
  const times = (await reader.vintages(series, [])).map(({ seenAt, times: { known } }) =>
    known.public === undefined ? seenAt : Number(known.public) / 1e9,
  );
  return times.reduce((newest, time) => (time <= cutoff && time > newest ? time : newest), 0);
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
