import type { SourceRange } from '../contract/answer-members.ts';
import { unmetDemand } from '../contract/endpoint.ts';
import { etagMatches } from '../contract/headers.ts';
import type { Compose, Composed, Envelope, HookContext, LoadedSeries, ServiceLabels } from '../contract/hooks.ts';
import { asJsonText, type JsonObject, jsonEqual, toJsonText } from '../contract/json/json.ts';
import { spelledLike } from '../contract/json/scan.ts';
import type { Args } from '../contract/params/param.ts';
import type { Signing } from '../contract/signing.ts';
import { loadEndpoint } from '../endpoints/find.ts';
import { MacroError } from '../errors.ts';
import type { StoredSeries } from '../mirror/api/series.ts';
import { withoutUndone } from '../mirror/rules/as-of/undone.ts';
import {
  answerStateOf,
  type MirrorAnswer,
  type MirrorQuestion,
  pinnedVersion,
  versionIdentity,
} from './answer/answer.ts';
import { type Captured, capturedOf, describes, paginationMember, spellingOf, without } from './answer/envelope.ts';
import { etagOf } from './answer/inputs.ts';
import { KEYLESS_MEMBERS, keylessMembers, visibilityOf } from './answer/keyless.ts';
import { answerFromSeries } from './answer/ordinary.ts';
import { bodyOrParts, withParts } from './answer/parts/put-together.ts';
import { momentOfQuestion, momentState } from './answer/past/moment-state.ts';
import { findAll, holesOf, selectStored } from './answer/pick.ts';
import type { Columns } from './columns.ts';
import { lacksOfUnseen } from './coverage/known-spans.ts';
import { lacksOfCoveringSeries } from './coverage/lacks.ts';
import { markedBody, mirrorIncomplete, shortfallOf } from './coverage/mark.ts';
import { lackingFor, notMirrored } from './coverage/not-mirrored.ts';
import { positionInStored } from './coverage/stored-page.ts';
import { firstUnwatched, lostStretches } from './coverage/unwatched.ts';
import { keepingOf } from './kept/keeping.ts';
import { routesNote } from './labels.ts';
import { loadAll, loadEnough, loadJoined } from './load.ts';
import { type NamedMirror, originReader, ownReader } from './named-service.ts';
import { seriesOfQuestion, unkeptArguments } from './question.ts';
import { createReading } from './reading.ts';
import { selectionOf } from './selection.ts';
import { type AskContext, type Question, type Reply, resolveAlias, type Source } from './source.ts';

export interface MirrorSourceOptions extends NamedMirror {
  readonly labels: ServiceLabels;
  /** Keys that computed answers are signed with, where the service signs them; without keys they stay unsigned. */
  readonly signing?: Signing;
  /** What is kept of series for further questions; left out by whoever asks once. */
  readonly columns?: Columns;
  /** Told from when on (Unix seconds) an answer lacks events that nobody watched for. */
  readonly onUnwatched?: (from: number, now: number) => Promise<void>;
}

/** The mirror as a source: what the service would answer, from what is held. */
export function createMirrorSource(options: MirrorSourceOptions): Source {
  const { mirror, labels, signing, onUnwatched, columns } = options;
  const read = createReading(mirror, columns);
  return {
    async ask(original: Question, context: AskContext): Promise<Reply> {
      const question = resolveAlias(original);
      const { endpoint } = question;
      await loadEndpoint(endpoint.id);
      const { caller, now, presentAt = now } = context;
      refuseUnknown(question);
      if (endpoint.local) {
        const synthetic = (await mirror.stamp()).nature === 'synthetic';
        const body = endpoint.local({ args: question.args, now: Math.floor(now / 1000), caller, labels });
        return { status: 200, body: toJsonText(body), from: 'mirror', asOf: now, synthetic, notes: [] };
      }
      const visible = visibilityOf(endpoint, question.args, caller, now);
      const moment = momentOfQuestion(question, context.asOf);
      const answer = await read(caller, async ({ reader: whole, stamp }) => {
        // What this mirror had before an undo it still tells of itself.
        const own = ownReader(moment?.by === 'mirrored' ? whole : withoutUndone(whole), stamp, options);
        const origin = context.origin === undefined ? undefined : originReader(own.reader, context.origin);
        const { reader } = origin ?? own;
        const past = moment && (await import('./answer/past/past.ts')).createPast(reader, moment, whole);
        const ask: MirrorQuestion = {
          question,
          visible,
          caller,
          hasKey: context.hasKey,
          labels,
          reader: past?.reader ?? reader,
          present: own.reader,
          state: whole,
          origin: context.origin,
          ...(context.asOf?.at === now && { changes: whole.changes }),
          stamp,
          now,
          presentAt,
          // A keyless caller's delay and days are counted from now, whatever moment they ask about.
          clock: moment && caller.kind !== 'keyless' ? moment.at : now,
          ...(moment && { asOf: moment }),
          ifNoneMatch: context.ifNoneMatch,
          once: context.once,
          inParts: context.inParts,
          // Nobody signs today what was known another day.
          ...(signing && !moment && { signing }),
        };
        try {
          const answered = await (endpoint.compose ? answerComposed(ask, endpoint.compose) : answerFromSeries(ask));
          own.requireOwn();
          if (endpoint.compose) await past?.requireKnown(endpoint.compose, visible.args);
          const notes = caller.kind === 'owner' && past ? [...answered.notes, ...(await past.notes())] : answered.notes;
          return { ...answered, notes, synthetic: stamp.nature === 'synthetic' };
        } catch (thrown) {
          own.requireOwn(thrown);
          const error = origin ? origin.explain(thrown) : thrown;
          throw past ? await past.explain(error, endpoint.compose, visible.args) : error;
        }
      });
      const { body, parts, etag, asOf, lacks, synthetic } = answer;
      const sources = answer.sources && answer.sources.length > 1 ? answer.sources : undefined;
      const notes = sources && caller.kind === 'owner' ? [...answer.notes, sourcesNote(sources)] : answer.notes;
      const unwatched = firstUnwatched(lacks);
      if (unwatched !== undefined) await onUnwatched?.(unwatched, now);
      const lost = unwatched === undefined ? [] : await lostStretches(mirror.journal);
      const facts = {
        ...(moment && { past: moment }),
        ...(answer.sources && { sources: answer.sources }),
        ...({ from: 'mirror', asOf, synthetic, notes } as const),
      };
      const shortfall = shortfallOf(original, lacks, { checkedAt: asOf, now: presentAt, lost, sources });
      if (parts)
        return withParts({ status: 200, ...(shortfall && { shortfall }), ...facts }, endpoint.body, {
          ...parts,
          ...(shortfall ? { mark: shortfall.mark } : sources && { mark: { complete: true, sources } }),
        });
      if (body === undefined) return { status: 304, body: asJsonText(''), ...(etag && { etag }), ...facts };
      const told = sources ? markedBody(body, { complete: true, sources }) : body;
      if (!shortfall) return { status: 200, body: told, ...(etag && { etag }), ...facts };
      // What changes when a sync brings the rest is not known by the series' state alone: no validator.
      return { status: 200, body: markedBody(body, shortfall.mark), shortfall, ...facts };
    },
  };
}

/** Sources that a sentence names; the data has more of them. */
const SOURCES_NAMED = 4;

function sourcesNote(sources: readonly SourceRange[]): string {
  const named = sources.slice(0, SOURCES_NAMED).map(({ origin, from, to }) => `${origin} ${from} to ${to}`);
  const others = sources.length > SOURCES_NAMED ? ` and ${sources.length - SOURCES_NAMED} other parts` : '';
  return `The rows come from several sources: ${named.join(', ')}${others}.`;
}

/** A question that the stored rows cannot answer is refused, never answered as if it had not been asked. */
function refuseUnknown(question: Question): void {
  const { endpoint, extra = {} } = question;
  if (Object.keys(extra).length > 0)
    throw new MacroError('usage', `The mirror does not know the parameter ${Object.keys(extra).join(', ')}.`, {
      status: 422,
      hint: 'Parameters given with --param are answered by the service only: leave out --offline.',
    });
  if (endpoint.local) return;
  const unmet = unmetDemand(endpoint, question.args);
  if (unmet) throw unmet;
  if (!endpoint.mirror && !endpoint.compose) throw notMirrored(question);
  const sameAnyway = endpoint.mirror?.sameAnyway ?? {};
  const unkept = unkeptArguments(endpoint, question.args).filter((name) => sameAnyway[name] === undefined);
  if (unkept.length > 0)
    throw new MacroError('notFound', `The mirror keeps no answers for ${unkept.join(', ')} of ${endpoint.id}.`, {
      status: 404,
      code: 'not_mirrored',
      hint: 'Ask the service with --live, or leave the option out.',
    });
}

/**
 * Answers from several series through the endpoint's `compose` hook. Walk: find the series it could read, let it pick,
 * find what those name, make the validator from the states of all of them, load exactly those, build.
 * @throws MacroError of kind `incomplete` or `notFound`.
 */
async function answerComposed(ask: MirrorQuestion, compose: Compose<Args>): Promise<MirrorAnswer> {
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
  const states = answerStateOf(ask, [...picked, ...lists]);
  const others = [compose.version, ...keys, ...moved];
  const moment = await momentState(ask, picked);
  const identity = versionIdentity(ask, [...others, ...states.whole, ...moment.ofAnswer]);
  // What a position leads to moves with the clock when nobody gives one.
  const etag = ask.once || endpoint.paging.kind === 'cursor' ? undefined : etagOf(identity);
  const captured = capturedAlone(ask, picked);
  const version = pinnedVersion(
    ask,
    versionIdentity(ask, [...others, ...states.rows, ...moment.ofRows]),
    captured?.version,
  );
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
    column: columnsOf(ask, picked),
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
  const { sources } = built;
  const own = picked.filter((series) => series.endpoint === endpoint.id && series.envelope);
  const spellings = own.map((series) => spellingOf(ask, series));
  return {
    etag,
    asOf,
    lacks,
    notes,
    ...(sources && { sources }),
    ...bodyOrParts(endpoint.body, { envelope: spelledLike(envelope, spellings), rows }, ask.inParts),
  };
}

/** What follows from several series together; of a moment of the past for this question alone. */
function columnsOf(
  { state, asOf }: MirrorQuestion,
  picked: readonly StoredSeries[],
): NonNullable<HookContext<Args>['column']> {
  const made = new Map<string, object>();
  return (name, make) => {
    const before = made.get(name) as ReturnType<typeof make> | undefined; // a name stands for one kind of value
    const bytesOf = () => picked.length * COMMON_BYTES;
    const value = before ?? (asOf ? make() : state.column(picked, { name, make, bytesOf }));
    made.set(name, value);
    return value;
  };
}

/** What is made of a series together with others takes so much, roughly. */
const COMMON_BYTES = 40_000;

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
  const { asOf: _, ...now } = { ...ask, reader: ask.present };
  const loaded = [...(await loadEnough(ask, picked, { known, context })), ...(await loadAll(now, lists))];
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
