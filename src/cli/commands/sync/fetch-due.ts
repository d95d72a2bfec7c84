import { isoSeconds } from '../../../contract/time/time.ts';
import { MacroError } from '../../../errors.ts';
import type { FollowJournalOptions } from '../../../events/follow.ts';
import type { Subject } from '../../../mirror/api/journal.ts';
import type { Mirror } from '../../../mirror/api/mirror.ts';
import type { App, LiveHandle } from '../../app/app.ts';
import { failureInAny, mayPass, runOnce } from './run.ts';

export interface Fetching extends Pick<FollowJournalOptions, 'after' | 'signal'> {
  readonly mirror: Mirror;
  /** The service to ask; opened when the first series is due. */
  readonly live: () => Promise<LiveHandle | undefined>;
  /** Nothing more will come: what is due is fetched, then it ends. */
  readonly isOver: () => boolean;
}

/** Milliseconds between two looks at what is due: releases of one moment are one run. */
const LOOK_INTERVAL_MS = 1_000;
/** Milliseconds until a run that failed is made again. */
const RETRY_INTERVAL_MS = 60_000;

/**
 * Fetches the series that new events name, those of them that the mirror holds, so that it is as fresh as the events say. What
 * fails is noted and tried again; the events themselves never wait for it.
 */
export async function fetchDue(app: App, fetching: Fetching): Promise<void> {
  const { mirror, signal, isOver } = fetching;
  const { clock } = app.platform;
  const events = newsOf(fetching);
  const due = new Map<string, Subject>();
  let notBefore = 0;
  for (let isLast = false; !isLast; ) {
    if (!isOver()) await clock.sleep(LOOK_INTERVAL_MS, signal);
    isLast = isOver();
    for (const subject of await events()) due.set(`announcements ${subject.currency} ${subject.indicator}`, subject);
    if (due.size === 0 || (clock.now() < notBefore && !isLast)) continue;
    const subjects = await heldOf(mirror, due);
    due.clear();
    const failure = subjects.length === 0 ? undefined : await fetchNow(app, fetching, subjects);
    if (!failure || isLast) continue;
    for (const [selection, subject] of subjects) due.set(selection, subject);
    notBefore = clock.now() + Math.max(RETRY_INTERVAL_MS, (failure.retryAfter ?? 0) * 1000);
    await app.note(
      `${failure.message} It is tried again at ${isoSeconds(Math.ceil(notBefore / 1000))}.`,
      'fetch_later',
    );
  }
}

/** Tells what came since it was last asked. */
function newsOf({ mirror, after }: Pick<Fetching, 'mirror' | 'after'>): () => Promise<readonly Subject[]> {
  let seen: number | undefined;
  let position = after;
  return async () => {
    const version = mirror.version();
    const subjects = version === seen ? [] : await mirror.journal.subjects(position);
    seen = version;
    position = subjects.at(-1)?.position ?? position;
    return subjects;
  };
}

type Due = readonly (readonly [selection: string, subject: Subject])[];

/** Of the series that events name, those that the mirror holds. */
async function heldOf(mirror: Mirror, due: ReadonlyMap<string, Subject>): Promise<Due> {
  const subjects: (readonly [string, Subject])[] = [];
  for (const one of [...due]) {
    const [, { origin, currency, indicator }] = one;
    const scope = { currency: currency.toUpperCase(), indicator };
    const found = await mirror.find({ endpoint: 'announcements', scope, exact: true });
    if (found.some((series) => series.origin === origin)) subjects.push(one);
  }
  return subjects;
}

/** One run. What the next one will meet as well is told and left to `macro sync`: events go on without it. */
async function fetchNow(app: App, { mirror, live }: Fetching, due: Due): Promise<MacroError | undefined> {
  const handle = await live();
  if (!handle) return undefined;
  const words = due.map(([selection]) => selection).join(', ');
  try {
    const failure = await failureInAny(() => runOnce(app, { words: [words], live: handle, mirror }));
    if (!failure || mayPass(failure)) return failure;
    await app.warn(`The series of new events cannot be fetched: ${failure.message}`, 'fetch_failed');
  } catch (error) {
    if (!(error instanceof MacroError) || error.kind === 'interrupted') throw error;
    await app.warn(`The series of new events cannot be fetched: ${error.message}`, 'fetch_failed');
  }
  return undefined;
}
