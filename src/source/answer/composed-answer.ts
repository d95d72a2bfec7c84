/** Answers from several series, through the `compose` hook of an endpoint. */
import type {
  AnyCompose,
  Composed,
  HookContext,
  JoinedCompose,
  LoadedSeries,
  MakeColumn,
} from '../../contract/hooks.ts';
import { jsonEqual } from '../../contract/json/json.ts';
import type { Args } from '../../contract/params/param.ts';
import { dateOf } from '../../contract/time/time.ts';
import { accessOfCaller } from '../../coverage/intervals.ts';
import type { SeriesCoverage } from '../../coverage/series-coverage.ts';
import { isBehind, windowNamed } from '../../coverage/windows.ts';
import type { StoredSeries } from '../../mirror/api/series.ts';
import { routesNote } from '../labels.ts';
import { loadAll, loadEnough } from '../load.ts';
import { missingFor, notMirrored } from '../not-mirrored.ts';
import { seriesOfQuestion } from '../question.ts';
import { coverageQuestion, missingOfCoveringSeries, seriesCoverage } from '../read-coverage.ts';
import type { StateReader } from '../reading.ts';
import { selectionOf } from '../selection.ts';
import { storedPartOf } from '../stored/stored-part.ts';
import { positionInStored } from '../stored-page.ts';
import { answerStateOf, type ChosenSeries, type Cut, type MirrorQuestion } from './answer.ts';
import { capturedOf } from './envelope.ts';
import { digest } from './inputs.ts';
import { keylessMembers } from './keyless.ts';
import { absentOf, countFound, findAll, selectAmong } from './pick.ts';

/** Facts that follow from the chosen series alone, whatever window and page is asked for. */
interface Chosen extends Omit<ChosenSeries, 'captured' | 'cut'> {
  readonly lists: readonly StoredSeries[];
  /** The first of the picked ones, where these are loaded already. */
  readonly known: readonly LoadedSeries[];
  /** The endpoint's own series, where it is the only one. */
  readonly own: StoredSeries | undefined;
  /** A page of it was stored with its position: earlier rows may be missing. */
  readonly hasPlaces: boolean;
  /** For an answer that is a slice. */
  readonly slice?: Slicing;
}

/** The series that an answer is cut from, and what it is made of. */
interface Slicing {
  /** Short, since names of columns begin with it. */
  readonly name: string;
  /** All rows of the picked series may be cached. */
  readonly isCached: boolean;
  readonly inputs: readonly string[];
  /** The coverage of each picked series, whatever the window. */
  readonly coverages: readonly (SeriesCoverage | undefined)[];
}

/** Finds the series that the answer could read, and picks. For a slice that is done once per state of the mirror. */
export async function chooseSeries(ask: MirrorQuestion, compose: AnyCompose<Args>): Promise<ChosenSeries> {
  const { question, visible, reader, state, caller, clock } = ask;
  const { args } = visible;
  const isCached = 'joinedBy' in compose && !ask.asOf && reader === ask.present && !ask.isNarrowed;
  const keep: StateReader['ofState'] = isCached ? state.ofState : (_, make) => make();
  const of = isCached ? compose.joinedBy(args) : '';
  const name = `${question.endpoint.id} ${of} for ${caller.kind} ${ask.hasKey ? 'with' : 'without'} ${dateOf(clock)}`;
  const found = await keep(`${name}: found`, () => findAll(reader, compose.reads(args)));
  const isOfWindow = Object.keys(compose.counts?.(args, found) ?? {}).length > 0;
  const picked = isOfWindow ? await pickAmong(ask, compose, found) : undefined;
  const choose = async () => choiceOf(ask, compose, picked ?? (await pickAmong(ask, compose, found)));
  const ids = picked?.series.map(({ id }) => id);
  const kept = await keep(`${name}: ${ids}`, choose);
  // A choice for a window has its own counts of rows.
  const chosen = picked ? { ...kept, picked: picked.series } : kept;
  return {
    ...chosen,
    captured: chosen.own && capturedOf(ask, chosen.own),
    cut: () => cutComposed(ask, compose, chosen),
  };
}

/** Builds the page from the chosen series. */
async function cutComposed(ask: MirrorQuestion, compose: AnyCompose<Args>, chosen: Chosen): Promise<Cut | undefined> {
  const { args } = ask.visible;
  const page = await heldPage(ask, chosen);
  const context = contextOf(ask, compose, {
    picked: chosen.picked,
    args: page ? { ...args, limit: page.limit, offset: page.offset } : args,
  });
  const built = await buildAnswer(ask, compose, { chosen, context });
  if (!built) return undefined;
  const rows = built.made ?? built.rows;
  const { missing = 0 } = page ?? {};
  const total = built.total + missing;
  return {
    ...{ rows, sources: built.sources, withheld: built.withheld, clipped: built.clipped, rowsName: built.rowsName },
    get notes() {
      return built.notes;
    },
    envelope: built.envelope,
    missingParts: built.missingParts ?? (await missingOfCoveringSeries(ask, chosen.picked)),
    place: {
      ...{ returned: rows.length, total, includesLatest: built.includesLatest },
      ...(missing > 0 && { reached: Math.min(Number(args.offset) + Number(args.limit), total) }),
    },
  };
}

interface Picked {
  readonly series: readonly StoredSeries[];
  /** The first of them, where these are loaded already. */
  readonly known: readonly LoadedSeries[];
}

async function pickAmong(
  ask: MirrorQuestion,
  compose: AnyCompose<Args>,
  found: readonly StoredSeries[],
): Promise<Picked> {
  const { question, visible, reader, clock } = ask;
  const { args } = visible;
  const first = selectAmong(compose, args, await countFound(reader, compose, { args, found }));
  const known = compose.follow ? await loadAll(ask, first) : [];
  const further = compose.follow ? await findAll(reader, compose.follow(args, known, Math.floor(clock / 1000))) : [];
  const series = [...first, ...further.filter(({ id }) => !first.some((one) => one.id === id))];
  const missingRanges = compose.needs === 'all' ? await absentOf(reader, compose.reads(args)) : [];
  if (missingRanges.length > 0) throw notMirrored(question, missingRanges);
  if (series.length === 0 && compose.needs !== 'none') throw notMirrored(question, await missingFor(ask));
  return { series, known };
}

/** The choice that follows from the picked series alone. Lists are read as of now, whatever the question's moment. */
async function choiceOf(
  ask: MirrorQuestion,
  compose: AnyCompose<Args>,
  { series: picked, known }: Picked,
): Promise<Chosen> {
  const { question, visible } = ask;
  const now = Math.floor(ask.clock / 1000);
  const lists = await findAll(ask.present, compose.lists?.(visible.args) ?? []);
  const keys = (compose.signs && ask.signing?.keys(now).map(({ key_id, status }) => `${key_id} ${status}`)) || [];
  const moved = compose.dependsOn?.(visible.args, { now, presentAt: Math.floor(ask.presentAt / 1000) }) ?? [];
  const others = [compose.version, ...keys, ...moved];
  const own = ownAlone(ask, picked);
  return {
    ...{ picked, known, lists, own },
    hasPlaces: own !== undefined && (await ask.reader.coveredRanges(own, 'keyless')).some(({ skipped }) => skipped),
    state: [...others, ...(await answerStateOf(ask, picked, lists))],
    checkedAt: Math.min(Number.POSITIVE_INFINITY, ...picked.map((series) => series.checkedAt)),
    named: picked.filter((series) => series.endpoint === question.endpoint.id && series.envelope),
    spelled: new Map(),
    ...('joinedBy' in compose && { slice: await slicingOf(ask, compose, picked) }),
  };
}

async function slicingOf(
  ask: MirrorQuestion,
  compose: JoinedCompose<Args>,
  picked: readonly StoredSeries[],
): Promise<Slicing> {
  const { question, visible, state } = ask;
  const whole = { ...coverageQuestion(ask), isOfAllWindows: true };
  const coverages = await Promise.all(
    picked.map((series) => seriesCoverage(whole, series, accessOfCaller(ask.caller))),
  );
  const covered = JSON.stringify(coverages.map((one) => one?.coverage));
  const needed = picked[0] && compose.rowsNeeded?.(visible.args, picked[0]);
  return {
    name: digest([state.named(picked, `${question.endpoint.id} ${compose.joinedBy(visible.args)} ${covered}`)], ask),
    isCached: !ask.asOf && (await Promise.all(picked.map(state.isCached))).every(Boolean),
    inputs: state.namesOf(picked, needed && 'from' in needed ? needed.columns : []),
    coverages,
  };
}

/** Cuts the answer from the joined picked series; the joined series is cached if all their rows may be. */
async function sliceAnswer(
  ask: MirrorQuestion,
  compose: JoinedCompose<Args>,
  {
    picked,
    slicing,
    context,
  }: { readonly picked: readonly StoredSeries[]; readonly slicing: Slicing; readonly context: HookContext<Args> },
): Promise<Composed | undefined> {
  const { state, visible } = ask;
  const { name, isCached, inputs, coverages } = slicing;
  const column: MakeColumn = (what, make) => (isCached ? state.made(`${name} ${what}`, make) : make());
  const join = async () => ({ series: compose.join(await loadAll(ask, picked, coverages), visible.args, column) });
  const { series } = await (isCached ? state.ofName(name, join) : join());
  if (!series) return undefined;
  state.touch(inputs);
  const named = windowNamed(coverageQuestion(ask), ask.question.endpoint);
  const closed = coverages.map((one) => {
    const { overDays = one?.coverage } = one ?? {};
    return overDays && isBehind(overDays.ranges.at(-1)?.to, named) ? { ...overDays, isOpen: false } : undefined;
  });
  const seen = { name: closed.map((one) => (one ? 1 : 0)).join(''), closedAt: (place: number) => closed[place] };
  return compose.slice(series, context, seen);
}

/** The endpoint's own series, where the answer rests on nothing else and is a page of rows. */
function ownAlone({ question: { endpoint, args } }: MirrorQuestion, picked: readonly StoredSeries[]) {
  const [only, other] = picked;
  const pages = endpoint.paging.kind === 'offset' || endpoint.paging.kind === 'none';
  if (!only || other || !pages) return undefined;
  const own = seriesOfQuestion(endpoint, args);
  return only.endpoint === own.endpoint && jsonEqual(only.scope, own.scope) ? only : undefined;
}

/** The asked page among the stored rows, where these are the rows of the endpoint's own series and of no other. */
async function heldPage(ask: MirrorQuestion, { own, hasPlaces }: Chosen) {
  const { endpoint } = ask.question;
  if (!own || !hasPlaces || endpoint.paging.kind !== 'offset' || ask.asOf) return undefined;
  if (storedPartOf(ask.question).says !== 'everything') return undefined;
  return positionInStored(ask.reader, {
    series: own,
    selection: selectionOf(endpoint, ask.visible, ask.clock),
    order: endpoint.mirror?.order ?? 'newest',
    limit: Number(ask.visible.args.limit),
    offset: Number(ask.visible.args.offset),
  });
}

function contextOf(
  ask: MirrorQuestion,
  compose: AnyCompose<Args>,
  { picked, args }: { readonly picked: readonly StoredSeries[]; readonly args: Args },
): HookContext<Args> {
  const { visible, caller, labels, signing } = ask;
  return {
    args,
    now: Math.floor(ask.clock / 1000),
    presentAt: Math.floor(ask.presentAt / 1000),
    ...(ask.asOf && { isPast: true }),
    ...{ caller, labels },
    get routes() {
      return routesNote();
    },
    column: columnsOf(ask, picked),
    ...(compose.signs && signing && { signing }),
    ...(caller.kind === 'keyless' && { keyless: (kept) => keylessMembers(visible, kept, labels) }),
  };
}

/** Values computed from several series together; for a moment of the past, cached for this question alone. */
function columnsOf(
  { state, asOf }: MirrorQuestion,
  picked: readonly StoredSeries[],
): NonNullable<HookContext<Args>['column']> {
  const made = new Map<string, object>();
  return (name, make) => {
    const before = made.get(name) as ReturnType<typeof make> | undefined; // a name stands for one kind of value
    const value = before ?? (asOf ? make() : state.column(picked, name, make));
    made.set(name, value);
    return value;
  };
}

async function buildAnswer(
  ask: MirrorQuestion,
  compose: AnyCompose<Args>,
  { chosen, context }: { readonly chosen: Chosen; readonly context: HookContext<Args> },
): Promise<Composed | undefined> {
  const { picked, lists, known, slice } = chosen;
  if ('joinedBy' in compose) return slice && sliceAnswer(ask, compose, { picked, slicing: slice, context });
  const { asOf: _, ...now } = { ...ask, reader: ask.present };
  const loaded = [...(await loadEnough(ask, picked, { known, context })), ...(await loadAll(now, lists))];
  return compose.build(loaded, context);
}
