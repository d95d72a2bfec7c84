import type { Client } from '../../client/client.ts';
import type { Mirror } from '../../mirror/api/mirror.ts';
import type { Follow } from '../../mirror/api/page-commit.ts';
import type { AccessTag } from '../../mirror/api/series.ts';
import { seriesOfQuestion } from '../../source/question.ts';
import { accessOf, receivedSeries } from '../../source/stored/answer-commit.ts';
import { announcedBetween, feedOf, NOTHING_ANNOUNCED } from '../feeds.ts';
import type { SeriesState } from '../plan/step.ts';
import type { SyncTarget } from './select.ts';

/** Whose answers are stored: the service and the access under which it is asked. */
export type Asker = Pick<Client, 'service' | 'access'>;

/** Reads what the mirror knows of each target. Thousands of them are read at once, so little is read of each. */
export async function readStates(
  mirror: Mirror | undefined,
  asker: Asker,
  targets: readonly SyncTarget[],
): Promise<readonly SeriesState[]> {
  if (!mirror) return targets.map((target) => emptyState(target, accessOf(target.endpoint, asker.access)));
  const around = { asker, followsOf: followReader(mirror), checksOf: onceEach(mirror.checks) };
  const states: SeriesState[] = [];
  for (const target of targets) states.push(await readState(mirror, around, target));
  return states;
}

interface Around {
  readonly asker: Asker;
  readonly followsOf: ReturnType<typeof followReader>;
  readonly checksOf: Mirror['checks'];
}

async function readState(mirror: Mirror, around: Around, target: SyncTarget): Promise<SeriesState> {
  const { endpoint, args } = target;
  const { asker, followsOf, checksOf } = around;
  const access = accessOf(endpoint, asker.access);
  const key = receivedSeries(target, asker.service);
  const named = await mirror.find(seriesOfQuestion(endpoint, args));
  const checkedAt = named.length > 0 ? Math.max(...named.map((series) => series.checkedAt)) : undefined;
  const stored = named.find(({ origin }) => origin === key.origin);
  if (!stored) return { ...emptyState(target, access), checkedAt };
  const check = (await checksOf(endpoint.id, access)).get(stored.id);
  const { journal } = mirror;
  return {
    target,
    access,
    id: stored.id,
    checkedAt,
    coveredRanges: await mirror.coveredRanges(stored, access),
    walk: await mirror.walk(key, access),
    follow: feedOf(endpoint) && (await followsOf(endpoint.id, access)).get(stored.id),
    check,
    announced: async () =>
      check
        ? announcedBetween(journal, target, { after: check.event, until: await journal.newest() })
        : NOTHING_ANNOUNCED,
    count: (window = undefined) => mirror.count(stored, window ?? {}),
  };
}

function emptyState(target: SyncTarget, access: AccessTag): SeriesState {
  const nothing = {
    id: undefined,
    checkedAt: undefined,
    coveredRanges: [],
    walk: undefined,
    follow: undefined,
    check: undefined,
  };
  return { target, access, ...nothing, announced: async () => NOTHING_ANNOUNCED, count: async () => 0 };
}

/** The follows of an endpoint are read once for all of its series. */
function followReader(mirror: Mirror) {
  return onceEach(async (endpoint: string, access: AccessTag): Promise<ReadonlyMap<number, Follow>> => {
    const follows = await mirror.follows(endpoint, access);
    return new Map(follows.map((follow) => [follow.series, follow]));
  });
}

/** Reads what there is of an endpoint once for all of its series. */
function onceEach<T>(read: (endpoint: string, access: AccessTag) => Promise<T>): typeof read {
  const known = new Map<string, Promise<T>>();
  return (endpoint, access) => {
    const name = `${endpoint} ${access}`;
    const reading = known.get(name) ?? read(endpoint, access);
    known.set(name, reading);
    return reading;
  };
}

/** The states once more, as their feeds have left them. */
export async function readFollowStates(
  mirror: Mirror,
  states: readonly SeriesState[],
): Promise<readonly SeriesState[]> {
  const followsOf = followReader(mirror);
  return Promise.all(
    states.map(async (state) => {
      const { id, target, access } = state;
      if (id === undefined || !feedOf(target.endpoint)) return state;
      return { ...state, follow: (await followsOf(target.endpoint.id, access)).get(id) };
    }),
  );
}

/** The states as their feeds will leave them, as far as stored events tell. */
export async function foreseenStates(states: readonly SeriesState[]): Promise<readonly SeriesState[]> {
  return Promise.all(
    states.map(async (state) => {
      const { follow, check } = state;
      if (!follow || !check || follow.due !== undefined) return state;
      const { due } = await state.announced();
      return due === undefined ? state : { ...state, follow: { ...follow, due } };
    }),
  );
}

/** A state of which the feed says nothing. */
export function withoutFollowers(state: SeriesState): SeriesState {
  return { ...state, follow: undefined };
}
