import { etagMatches } from '../../contract/headers.ts';
import type { Compose, Composed, Envelope, HookContext, LoadedSeries } from '../../contract/hooks.ts';
import { type JsonObject, jsonEqual } from '../../contract/json/json.ts';
import { spelledLike } from '../../contract/json/scan.ts';
import type { Args } from '../../contract/params/param.ts';
import type { StoredSeries } from '../../mirror/api/series.ts';
import { lacksOfCoveringSeries } from '../coverage/lacks.ts';
import { mirrorIncomplete, shortfallOf } from '../coverage/mark.ts';
import { lackingFor, notMirrored } from '../coverage/not-mirrored.ts';
import { positionInStored } from '../coverage/stored-page.ts';
import { lacksOfUnseen } from '../coverage/unseen.ts';
import { keepingOf } from '../kept/keeping.ts';
import { loadAll, loadEnough, loadJoined } from '../load.ts';
import { seriesOfQuestion } from '../question.ts';
import { selectionOf } from '../selection.ts';
import { generationsOf, type MirrorAnswer, type MirrorQuestion, pinnedVersion, versionIdentity } from './answer.ts';
import { type Captured, capturedOf } from './captured.ts';
import { describes, paginationMember, without } from './envelope.ts';
import { etagOf } from './inputs.ts';
import { KEYLESS_MEMBERS, keylessMembers } from './keyless.ts';
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
  const built = await buildAnswer(ask, compose, { picked, lists, known, context });
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
  return {
    etag,
    asOf,
    lacks,
    notes,
    ...bodyOrParts(endpoint.body, { envelope: spelledLike(envelope, texts), rows }, ask.inParts),
  };
}

interface AnswerParts {
  readonly picked: readonly StoredSeries[];
  readonly lists: readonly StoredSeries[];
  /** The first of the picked ones, where these are loaded already. */
  readonly known: readonly LoadedSeries[];
  readonly context: HookContext<Args>;
}

async function buildAnswer(
  ask: MirrorQuestion,
  compose: Compose<Args>,
  { picked, lists, known, context }: AnswerParts,
): Promise<Composed | undefined> {
  const { joined } = compose;
  if (joined) {
    const series = await loadJoined(ask, joined, picked);
    return series && joined.slice(series, context);
  }
  const loaded = [
    ...(await loadEnough(ask, picked, { known, context })),
    ...(await loadAll({ ...ask, reader: ask.present }, lists)),
  ];
  return compose.build(loaded, context);
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
