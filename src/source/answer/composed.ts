/** Answers from several series, through the `compose` hook of an endpoint. */
import { etagMatches } from '../../contract/headers.ts';
import type { Compose, Composed, Envelope, HookContext, LoadedSeries, SeenSeries } from '../../contract/hooks.ts';
import { type JsonObject, jsonEqual } from '../../contract/json/json.ts';
import { type SpelledMember, spelledLike } from '../../contract/json/scan.ts';
import type { Args } from '../../contract/params/param.ts';
import type { Coverage } from '../../contract/time/coverage.ts';
import { dateOf } from '../../contract/time/time.ts';
import { evidenceFor } from '../../coverage/intervals.ts';
import type { StoredSeries } from '../../mirror/api/series.ts';
import { coverageQuestion, missingOfCoveringSeries } from '../coverage/covering-series.ts';
import { evidenceOf, isBehind, windowNamed } from '../coverage/evidence.ts';
import { missingOfUnchecked } from '../coverage/known-spans.ts';
import { mirrorIncomplete, partialOf } from '../coverage/mark.ts';
import { missingFor, notMirrored } from '../coverage/not-mirrored.ts';
import { positionInStored } from '../coverage/stored-page.ts';
import { keepingOf } from '../kept/keeping.ts';
import { routesNote } from '../labels.ts';
import { loadAll, loadEnough } from '../load.ts';
import { seriesOfQuestion } from '../question.ts';
import { selectionOf } from '../selection.ts';
import { answerStateOf, type MirrorAnswer, type MirrorQuestion, pinnedVersion, versionIdentity } from './answer.ts';
import { capturedOf, describes, paginationMember, spellingOf, without } from './envelope.ts';
import { etagOf } from './inputs.ts';
import { KEYLESS_MEMBERS, keylessMembers } from './keyless.ts';
import { bodyOrParts } from './parts/put-together.ts';
import { momentState } from './past/moment-state.ts';
import { absentOf, countFound, findAll, selectAmong, selectStored } from './pick.ts';

/** The series of an answer, and what follows from them alone, whatever window and page is asked for. */
interface Chosen {
  readonly picked: readonly StoredSeries[];
  readonly lists: readonly StoredSeries[];
  /** The first of the picked ones, where these are loaded already. */
  readonly known: readonly LoadedSeries[];
  /** The endpoint's own series, where it is the only one. */
  readonly own: StoredSeries | undefined;
  /** What the rows and the whole answer follow from. */
  readonly state: { readonly rows: State; readonly whole: State };
  /** Milliseconds. */
  readonly checkedAt: number;
  /** A page of it was kept with its place: rows before that may not be stored. */
  readonly hasPlaces: boolean;
  /** Those of the endpoint itself that have an envelope: an equal member is spelled as there. */
  readonly named: readonly StoredSeries[];
  /** Members of answers as they were spelled last: most are the same in all of them. */
  readonly spelled: Map<string, SpelledMember>;
}

type State = readonly (string | number)[];

/** A choice, and the way from a window to the answer, where that is a slice. */
interface SlicedChoice extends Chosen {
  slice?(context: HookContext<Args>): Composed | undefined;
}

/**
 * Finds the series, chooses among them, builds the page out of them, and says what is missing.
 * @throws MacroError of kind `incomplete` or `notFound`.
 */
export async function answerComposed(ask: MirrorQuestion, compose: Compose<Args>): Promise<MirrorAnswer> {
  const { question, visible, labels, caller } = ask;
  const { endpoint } = question;
  const choice: SlicedChoice = (await chooseSlices(ask, compose)) ?? (await chooseSeries(ask, compose));
  const { picked, state } = choice;
  const captured = choice.own && capturedOf(ask, choice.own);
  const version = pinnedVersion(ask, versionIdentity(ask, state.rows), captured?.version);
  // What a position leads to moves with the clock when nobody gives one.
  const hasEtag = !ask.once && endpoint.paging.kind !== 'cursor';
  const etag = hasEtag ? etagOf(versionIdentity(ask, state.whole)) : undefined;
  const asOf = Math.min(ask.now, choice.checkedAt);
  const unchecked = await missingOfUnchecked(ask, picked);
  if (unchecked.length === 0 && etagMatches(ask.ifNoneMatch, etag))
    return { etag, asOf, missingParts: [], notes: [], body: undefined };
  const page = await heldPage(ask, choice);
  const tellKeyless: NonNullable<HookContext<Args>['keyless']> = ({ withheld, clipped }) => {
    const { window } = visible;
    const clippedAsk = clipped && window ? { ...visible, window: { ...window, clipped } } : visible;
    return keylessMembers(clippedAsk, withheld, { labels, stored: {} });
  };
  const context = contextOf(ask, compose, {
    choice,
    args: page ? { ...visible.args, limit: page.limit, offset: page.offset } : visible.args,
    keyless: caller.kind === 'keyless' ? tellKeyless : undefined,
  });
  const built = choice.slice ? choice.slice(context) : await buildAnswer(ask, compose, { choice, context });
  if (!built) throw notMirrored(question, await missingFor(ask));
  const rows = built.made ?? built.rows;
  const total = built.total + (page?.missing ?? 0);
  const place = {
    returned: rows.length,
    total,
    includesLatest: built.includesLatest,
    ...(page &&
      page.missing > 0 && { reached: Math.min(Number(visible.args.offset) + Number(visible.args.limit), total) }),
  };
  const missingParts = [...(built.missingParts ?? (await missingOfCoveringSeries(ask, picked))), ...unchecked];
  const partial = compose.wholeOnly && partialOf(question, missingParts, { checkedAt: asOf, now: ask.presentAt });
  if (partial) throw mirrorIncomplete(partial);
  const notes = caller.kind === 'owner' ? (built.notes ?? []) : [];
  if (captured?.match === 'page' && describes(captured.stored, place))
    return {
      etag,
      asOf,
      missingParts,
      notes,
      ...bodyOrParts(endpoint.body, { envelope: captured.text, rows }, ask.inParts),
    };
  const envelope: Envelope = {
    ...without(built.envelope as JsonObject, KEYLESS_MEMBERS), // an envelope is JSON with undefined members
    ...version,
    ...paginationMember(endpoint, visible.args, place),
    ...(caller.kind === 'keyless' &&
      tellKeyless({ withheld: built.withheld ?? [], ...(built.clipped && { clipped: true }) })),
  };
  const { sources } = built;
  const spellings = choice.named.map((series) => spellingOf(ask, series));
  return {
    etag,
    asOf,
    missingParts,
    notes,
    ...(sources && { sources }),
    ...bodyOrParts(endpoint.body, { envelope: spelledLike(envelope, spellings, choice.spelled), rows }, ask.inParts),
  };
}

/** Finds the series that the answer could read, lets the hook pick, and finds those that the picked ones name. */
async function chooseSeries(ask: MirrorQuestion, compose: Compose<Args>): Promise<Chosen> {
  const { question, visible } = ask;
  const now = Math.floor(ask.clock / 1000);
  const first = await selectStored(ask.reader, compose, visible.args);
  const known = compose.follow ? await loadAll(ask, first) : [];
  const further = compose.follow ? await findAll(ask.reader, compose.follow(visible.args, known, now)) : [];
  const picked = [...first, ...further.filter(({ id }) => !first.some((series) => series.id === id))];
  const missingRanges = compose.needs === 'all' ? await absentOf(ask.reader, compose.reads(visible.args)) : [];
  if (missingRanges.length > 0) throw notMirrored(question, missingRanges);
  if (picked.length === 0 && compose.needs !== 'none') throw notMirrored(question, await missingFor(ask));
  const lists = await findAll(ask.present, compose.lists?.(visible.args) ?? []);
  return { ...(await choiceOf(ask, compose, [...picked], lists)), known };
}

/** What follows from the picked series alone. `lists` are read as they are now, whatever moment the question is put at. */
async function choiceOf(
  ask: MirrorQuestion,
  compose: Compose<Args>,
  picked: readonly StoredSeries[],
  lists: readonly StoredSeries[] = [],
): Promise<Chosen> {
  const { endpoint } = ask.question;
  const now = Math.floor(ask.clock / 1000);
  const keys = (compose.signs && ask.signing?.keys(now).map(({ key_id, status }) => `${key_id} ${status}`)) || [];
  const moved = compose.dependsOn?.(ask.visible.args, { now, presentAt: Math.floor(ask.presentAt / 1000) }) ?? [];
  const others = [compose.version, ...keys, ...moved];
  const states = answerStateOf(ask, [...picked, ...lists]);
  const moment = await momentState(ask, picked);
  const own = ownAlone(ask, picked);
  const named = picked.filter((series) => series.endpoint === endpoint.id && series.envelope);
  return {
    picked,
    lists,
    known: [],
    own,
    hasPlaces: own !== undefined && (await ask.reader.proofs(own, 'keyless')).some(({ skipped }) => skipped),
    state: {
      rows: [...others, ...states.rows, ...moment.ofRows],
      whole: [...others, ...states.whole, ...moment.ofAnswer],
    },
    checkedAt: Math.min(Number.POSITIVE_INFINITY, ...picked.map((series) => series.checkedAt)),
    named,
    spelled: new Map(),
  };
}

/** The series that may take part, as they are found. */
interface Candidates {
  readonly stored: readonly StoredSeries[];
  /** All rows of them may be kept. */
  readonly areKept: boolean;
}

/** A choice, and what the slices of it are cut from. */
interface JoinedChoice extends Chosen {
  /** The last days that the series were checked for. */
  readonly lasts: readonly (string | undefined)[];
  /** Of the joined series, and of what it is made of. */
  readonly name: string;
  readonly inputs: readonly string[];
}

/** A choice takes so much, and each of its series, roughly: they stand in it as they were found. */
const CHOICE_BYTES = 2_000;
const CHOSEN_BYTES = 2_000;

/**
 * Finds the series once for a state of the mirror, weighs them by the rows that they have in the window, and takes the series
 * that is made of them. Undefined where the answer is no slice: of another moment, and of series that are too long.
 */
async function chooseSlices(ask: MirrorQuestion, compose: Compose<Args>): Promise<SlicedChoice | undefined> {
  const { joined } = compose;
  const { question, visible, caller, clock, state, reader } = ask;
  if (!joined || ask.asOf || reader !== ask.present || ask.isNarrowed) return undefined;
  const { args } = visible;
  const of = joined.of.map((name) => args[name]);
  const who = `${caller.kind} ${ask.hasKey ? 'with' : 'without'} ${dateOf(clock)}`;
  const name = `${question.endpoint.id} ${JSON.stringify(of)} for ${who}`;
  const { stored, areKept } = await state.ofState(
    `${name}: candidates`,
    async (): Promise<Candidates> => {
      const found = await findAll(reader, compose.reads(args));
      return { stored: found, areKept: (await Promise.all(found.map(state.isKept))).every(Boolean) };
    },
    ({ stored: found }) => found.length * CHOSEN_BYTES,
  );
  if (!areKept || stored.length === 0) return undefined;
  const bounds = compose.counts?.(args, stored);
  const ofWindow = bounds && Object.keys(bounds).length > 0;
  const counted = ofWindow ? await countFound(reader, compose, { args, found: stored }) : undefined;
  const chosen = await state.ofState(
    `${name}: ${counted?.map(({ rows }) => rows)}`,
    async () => {
      const weighed = counted ?? (await countFound(reader, compose, { args, found: stored }));
      return chooseJoined(ask, compose, selectAmong(compose, args, weighed));
    },
    ({ picked }) => CHOICE_BYTES + picked.length * CHOSEN_BYTES,
  );
  if (chosen.picked.length === 0) return undefined;
  const { series } = await state.ofName(
    chosen.name,
    async () => ({ series: joined.make(await loadAll(ask, chosen.picked, true), args) }),
    ({ series: made }) => made?.bytes ?? 0,
  );
  state.touch(chosen.inputs);
  const seen = seenOf(ask, chosen.lasts);
  return { ...chosen, slice: (context) => series && joined.slice(series, context, seen) };
}

async function chooseJoined(
  ask: MirrorQuestion,
  compose: Compose<Args>,
  picked: readonly StoredSeries[],
): Promise<JoinedChoice> {
  const { question, visible, state } = ask;
  const whole = { ...coverageQuestion(ask), isOfAllWindows: true };
  const evidence = await Promise.all(picked.map((series) => evidenceOf(whole, series, evidenceFor(ask.caller))));
  const of = [compose.joined?.of.map((name) => visible.args[name]), evidence.map((one) => one?.coverage)];
  const needed = picked[0] && compose.rowsNeeded?.(visible.args, picked[0]);
  return {
    ...(await choiceOf(ask, compose, picked)),
    lasts: evidence.map(lastChecked),
    name: state.named(picked, `${question.endpoint.id} ${JSON.stringify(of)}`),
    inputs: state.namesOf(picked, needed && 'from' in needed ? needed.columns : []),
  };
}

const lastChecked = (one: { readonly coverage: Coverage } | undefined) => one?.coverage.ranges.at(-1)?.to.toString();

/** Of which series the window would know more than was checked. */
function seenOf(ask: MirrorQuestion, lasts: JoinedChoice['lasts']): SeenSeries {
  const named = windowNamed(coverageQuestion(ask), ask.question.endpoint);
  let name = '';
  for (const last of lasts) name += isBehind(last, named) ? '1' : '0';
  return { name, isClosed: (place) => isBehind(lasts[place], named) };
}

/** The endpoint's own series, where the answer rests on nothing else and is a page of rows. */
function ownAlone({ question: { endpoint, args } }: MirrorQuestion, picked: readonly StoredSeries[]) {
  const [only, other] = picked;
  const pages = endpoint.paging.kind === 'offset' || endpoint.paging.kind === 'none';
  if (!only || other || !pages) return undefined;
  const own = seriesOfQuestion(endpoint, args);
  return only.endpoint === own.endpoint && jsonEqual(only.scope, own.scope) ? only : undefined;
}

/** The asked page among the held rows, where these are the rows of the endpoint's own series and of no other. */
async function heldPage(ask: MirrorQuestion, { own, hasPlaces }: Chosen) {
  const { endpoint } = ask.question;
  if (!own || !hasPlaces || endpoint.paging.kind !== 'offset' || ask.asOf) return undefined;
  if (keepingOf(ask.question).says !== 'everything') return undefined;
  return positionInStored(ask.reader, {
    series: own,
    selection: selectionOf(endpoint, ask.visible, ask.clock),
    order: endpoint.mirror?.order ?? 'newest',
    limit: Number(ask.visible.args.limit),
    offset: Number(ask.visible.args.offset),
  });
}

interface ContextParts {
  readonly choice: Chosen;
  readonly args: Args;
  readonly keyless: HookContext<Args>['keyless'] | undefined;
}

function contextOf(
  ask: MirrorQuestion,
  compose: Compose<Args>,
  { choice, args, keyless }: ContextParts,
): HookContext<Args> {
  const signing = compose.signs ? ask.signing : undefined;
  return {
    args,
    now: Math.floor(ask.clock / 1000),
    presentAt: Math.floor(ask.presentAt / 1000),
    ...(ask.asOf && { isPast: true }),
    caller: ask.caller,
    labels: ask.labels,
    get routes() {
      return routesNote();
    },
    column: columnsOf(ask, choice.picked),
    ...(signing && { signing }),
    ...(keyless && { keyless }),
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

async function buildAnswer(
  ask: MirrorQuestion,
  compose: Compose<Args>,
  { choice, context }: { readonly choice: Chosen; readonly context: HookContext<Args> },
): Promise<Composed | undefined> {
  const { picked, lists, known } = choice;
  const { joined } = compose;
  if (joined) {
    const series = await loadAll(ask, picked, true);
    const made = joined.make(series, ask.visible.args);
    return made && joined.slice(made, context, seenOf(ask, series.map(lastChecked)));
  }
  const { asOf: _, ...now } = { ...ask, reader: ask.present };
  const loaded = [...(await loadEnough(ask, picked, { known, context })), ...(await loadAll(now, lists))];
  return compose.build(loaded, context);
}
