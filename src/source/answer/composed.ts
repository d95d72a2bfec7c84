import { etagMatches } from '../../contract/headers.ts';
import type { Compose, Envelope, HookContext } from '../../contract/hooks.ts';
import { type JsonObject, jsonEqual } from '../../contract/json/json.ts';
import { spelledLike } from '../../contract/json/scan.ts';
import type { Args } from '../../contract/params/params.ts';
import { FULL_COVERAGE } from '../../contract/time/coverage.ts';
import { dateOf } from '../../contract/time/time.ts';
import type { StoredSeries } from '../../mirror/api/series.ts';
import { evidenceFor, evidenceOf } from '../coverage/evidence.ts';
import { coverageQuestion, lacksOfCoveringSeries } from '../coverage/lacks.ts';
import { mirrorIncomplete, shortfallOf } from '../coverage/mark.ts';
import { lackingFor, notMirrored } from '../coverage/not-mirrored.ts';
import { positionInStored } from '../coverage/stored-page.ts';
import { lacksOfUnseen } from '../coverage/unseen.ts';
import { keepingOf } from '../kept/keeping.ts';
import { bytesOfBasis } from '../memory/kept-state.ts';
import type { KnownBasis } from '../memory/known-basis.ts';
import { questionText, seriesOfQuestion } from '../question.ts';
import { selectionOf } from '../selection.ts';
import { generationsOf, type MirrorAnswer, type MirrorQuestion, pinnedVersion, versionIdentity } from './answer.ts';
import { type Captured, capturedOf } from './captured.ts';
import { describes, paginationMember, without } from './envelope.ts';
import { etagOf, etagOfPage, questionDigest } from './inputs.ts';
import { KEYLESS_MEMBERS, keylessMembers } from './keyless.ts';
import { loadAll, loadEnough } from './load-enough.ts';
import { type BasisSeries, keepMaker, makeKnown, nameOfMaker } from './make-known.ts';
import { createPageMaker } from './page-maker.ts';
import { bodyOrParts } from './parts/put-together.ts';
import { momentState } from './past/moment-state.ts';
import { findAll, holesOf, selectStored } from './pick.ts';
import { routesNote } from './routes.ts';

/**
 * Answers from several series through the endpoint's `compose` hook. Walk: find the series it could read, let it pick,
 * find what those name, make the validator from the generations of all of them, load exactly those, build.
 * @throws MacroError of kind `incomplete` or `notFound`.
 */
export async function answerComposed(ask: MirrorQuestion, compose: Compose<Args>): Promise<MirrorAnswer> {
  const { question, visible, labels, caller } = ask;
  const { endpoint } = question;
  const now = Math.floor(ask.clock / 1000);
  const basisName = ask.bases && nameOfBasis(ask, compose);
  const basis = basisName === undefined ? undefined : ask.bases?.get(basisName);
  const before = basis && answerKnown(ask, basis);
  if (before) return before;
  const first = await selectStored(ask.reader, compose, visible.args);
  const known = compose.follow ? await loadAll(ask, first) : [];
  const further = compose.follow ? await findAll(ask.reader, compose.follow(visible.args, known, now)) : [];
  const picked = [...first, ...further.filter(({ id }) => !first.some((series) => series.id === id))];
  const holes = compose.needs === 'all' ? await holesOf(ask.reader, compose.reads(visible.args)) : [];
  if (holes.length > 0) throw notMirrored(question, holes);
  if (picked.length === 0 && compose.needs !== 'none') throw notMirrored(question, await lackingFor(ask));
  const lists = await findAll(ask.present, compose.lists?.(visible.args) ?? []);
  const signing = compose.signs ? ask.signing : undefined;
  const keys = signing?.keys(now).map(({ key_id, status }) => `${key_id} ${status}`) ?? [];
  const presentAt = Math.floor(ask.presentAt / 1000);
  const moved = compose.dependsOn?.(visible.args, { now, presentAt }) ?? [];
  const state = [compose.version, ...generationsOf([...picked, ...lists]), ...keys, ...moved];
  const moment = await momentState(ask, picked);
  const identity = versionIdentity(ask, [...state, ...moment.ofAnswer]);
  // What a position leads to moves with the clock when nobody gives one.
  const etag = ask.once || endpoint.paging.kind === 'cursor' ? undefined : etagOf(identity);
  const captured = capturedAlone(ask, picked);
  const version = pinnedVersion(ask, versionIdentity(ask, [...state, ...moment.ofRows]), captured?.version);
  const asOf = Math.min(ask.now, ...picked.map((series) => series.checkedAt));
  const unseen = await lacksOfUnseen(ask, picked);
  if (unseen.length === 0 && etagMatches(ask.ifNoneMatch, etag))
    return { etag, asOf, lacks: [], notes: [], body: undefined };
  const maker = nameOfMaker(ask, identity, await basisOf(ask, [...picked, ...lists]));
  const again = unseen.length === 0 ? makeKnown(ask, maker) : undefined;
  if (again) return { etag, asOf, lacks: [], notes: [], ...again };
  const bodies = isSteady(ask, compose) ? ask.makers?.bodies : undefined;
  const same = bodies?.get(maker);
  if (basisName !== undefined && unseen.length === 0)
    keepBasis(ask, basisName, {
      ...{ digest: questionDigest(identity), maker },
      checkedAt: Math.min(...picked.map((series) => series.checkedAt)),
    });
  if (same !== undefined) return { etag, asOf, lacks: [], notes: [], body: undefined, pieces: same };
  const tellKeyless: NonNullable<HookContext<Args>['keyless']> = ({ withheld, clipped }) => {
    const { window } = visible;
    const clippedAsk = clipped && window ? { ...visible, window: { ...window, clipped } } : visible;
    return keylessMembers(clippedAsk, withheld, { labels, stored: {} });
  };
  const page = await heldPage(ask, picked);
  const context: HookContext<Args> = {
    args: page ? { ...visible.args, limit: page.limit, offset: page.offset } : visible.args,
    now,
    presentAt,
    ...(ask.asOf && { isPast: true }),
    caller,
    labels,
    get routes() {
      return routesNote();
    },
    ...(signing && { signing }),
    ...(caller.kind === 'keyless' && { keyless: tellKeyless }),
  };
  const loaded = [
    ...(await loadEnough(ask, picked, { known, context })),
    ...(await loadAll({ ...ask, reader: ask.present }, lists)),
  ];
  const built = compose.build(loaded, context);
  if (!built) throw notMirrored(question, await lackingFor(ask));
  const rows = built.made ?? built.rows;
  const total = built.total + (page?.missing ?? 0);
  const place = {
    returned: rows.length,
    total,
    includesLatest: built.includesLatest,
    ...(page &&
      page.missing > 0 && { reached: Math.min(Number(visible.args.offset) + Number(visible.args.limit), total) }),
  };
  const lacks = [...(built.lacks ?? (await lacksOfCoveringSeries(ask, picked))), ...unseen];
  const shortfall = compose.wholeOnly && shortfallOf(question, lacks, { checkedAt: asOf, now: ask.presentAt });
  if (shortfall) throw mirrorIncomplete(shortfall);
  const notes = caller.kind === 'owner' ? (built.notes ?? []) : [];
  if (captured?.match === 'page' && describes(captured.stored, place))
    return { etag, asOf, lacks, notes, ...bodyOrParts(endpoint.body, { envelope: captured.text, rows }, ask.inParts) };
  const envelope: Envelope = {
    ...without(built.envelope as JsonObject, KEYLESS_MEMBERS), // an envelope is JSON with undefined members
    ...version,
    ...paginationMember(endpoint, visible.args, place),
    ...(caller.kind === 'keyless' &&
      tellKeyless({ withheld: built.withheld ?? [], ...(built.clipped && { clipped: true }) })),
  };
  const texts = picked.filter((series) => series.endpoint === endpoint.id).flatMap((own) => own.envelope?.text ?? []);
  const others = ask.asOf || (page && !page.isPlain) ? undefined : built.pages;
  const pages = createPageMaker(ask, {
    ...{ pages: others, identity, captured, spellings: texts },
    members: (own) => ({ ...without(own as JsonObject, KEYLESS_MEMBERS), ...version }), // as above
  });
  const members = { envelope: spelledLike(envelope, texts), rows };
  const made = bodyOrParts(endpoint.body, members, ask.inParts);
  if (lacks.length === 0 && notes.length === 0) keepMaker(ask, maker, { body: made.body, pages, further: others });
  if (bodies && lacks.length === 0 && notes.length === 0 && made.body !== undefined) {
    const bytes = encoder.encode(made.body);
    bodies.put(maker, [bytes], bytes.length);
  }
  return { etag, asOf, lacks, notes, pages, ...made };
}

/** The asked page among the held rows, where these are the rows of the endpoint's own series and of no other. */
async function heldPage(ask: MirrorQuestion, picked: readonly StoredSeries[]) {
  const { endpoint, args } = ask.question;
  const [only, other] = picked;
  const isOwn =
    only && !other && only.endpoint === endpoint.id && jsonEqual(only.scope, seriesOfQuestion(endpoint, args).scope);
  if (!isOwn || endpoint.paging.kind !== 'offset' || ask.asOf) return undefined;
  if (keepingOf(ask.question).says !== 'everything') return undefined;
  return positionInStored(ask.reader, {
    series: only,
    selection: selectionOf(endpoint, ask.visible, ask.clock),
    order: endpoint.mirror?.order ?? 'newest',
    limit: Number(ask.visible.args.limit),
    offset: Number(ask.visible.args.offset),
  });
}

/** What was received for the endpoint's own series, when the answer rests on nothing else and is a page of rows. */
function capturedAlone(ask: MirrorQuestion, picked: readonly StoredSeries[]): Captured | undefined {
  const { endpoint, args } = ask.question;
  const [only, other] = picked;
  const own = seriesOfQuestion(endpoint, args);
  const pages = endpoint.paging.kind === 'offset' || endpoint.paging.kind === 'none';
  if (!only || other || !pages || only.endpoint !== own.endpoint || !jsonEqual(only.scope, own.scope)) return undefined;
  return capturedOf(ask, only);
}

/** Questions of now whose pages, or whose whole answer, may be kept. What is seen without a key moves with the clock. */
function mayKnow({ question: { endpoint }, asOf, caller }: MirrorQuestion): boolean {
  const isPaged = endpoint.paging.kind === 'offset' || endpoint.compose?.steady === true;
  return isPaged && !asOf && caller.kind !== 'keyless';
}

/** The name of a question in one state of the mirror, where nothing else than its day changes what it is made of. */
function nameOfBasis(ask: MirrorQuestion, compose: Compose<Args>): string | undefined {
  const { question, visible, caller, hasKey, now } = ask;
  if (!compose.steady || compose.dependsOn || compose.signs || question.endpoint.versioned || !mayKnow(ask))
    return undefined;
  const { limit: _, offset: __, ...args } = visible.args;
  return JSON.stringify([questionText(question.endpoint, args, 'all'), caller, hasKey, dateOf(now)]);
}

function keepBasis({ bases }: MirrorQuestion, name: string, basis: KnownBasis): void {
  bases?.put(name, basis, bytesOfBasis(basis));
}

/** The answer of a question that is made of what is known, where that was made before. */
function answerKnown(ask: MirrorQuestion, { digest, maker, checkedAt }: KnownBasis): MirrorAnswer | undefined {
  const made = makeKnown(ask, maker);
  const pieces = made?.pieces ?? ask.makers?.bodies.get(maker);
  if (pieces === undefined) return undefined;
  const etag = etagOfPage(digest, ask.visible.args);
  const asOf = Math.min(ask.now, checkedAt);
  const isSame = etagMatches(ask.ifNoneMatch, etag);
  const answer = { etag, asOf, lacks: [], notes: [], body: undefined };
  return isSame ? answer : { ...answer, pieces, pages: made?.pages };
}

const encoder = new TextEncoder();

function isSteady(ask: MirrorQuestion, { steady }: Compose<Args>): boolean {
  return steady === true && ask.question.endpoint.paging.kind === 'none' && mayKnow(ask);
}

/** What is covered of each series; nobody needs to know where no pages are made. */
async function basisOf(ask: MirrorQuestion, series: readonly StoredSeries[]): Promise<readonly BasisSeries[]> {
  if (!ask.makers || !mayKnow(ask)) return [];
  const coverageOf = async (one: StoredSeries) =>
    (await evidenceOf(coverageQuestion(ask), one, evidenceFor(ask.caller)))?.coverage ?? FULL_COVERAGE;
  return Promise.all(series.map(async (one) => ({ series: one, coverage: await coverageOf(one) })));
}
