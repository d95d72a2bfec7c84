import { isoSeconds } from '../contract/time.ts';
import { MacroError } from '../errors.ts';
import { type FollowAsk, followJournal } from '../journal/follow.ts';
import type { JournalEvent } from '../mirror/journal.ts';
import type { Mirror } from '../mirror/mirror.ts';
import type { App, LiveSide } from './app.ts';
import { failureIn, PASSING, runOnce } from './commands/sync-run.ts';

export interface Fetching extends Pick<FollowAsk, 'after' | 'signal'> {
  readonly mirror: Mirror;
  /** The service to ask; opened when the first series is due. */
  readonly live: () => Promise<LiveSide | undefined>;
  /** Nothing more will come: what is due is fetched, then it ends. */
  readonly isOver: () => boolean;
}

/** Milliseconds between two looks at what is due: releases of one moment are one run. */
const LOOK = 1_000;
/** Milliseconds until a run that failed is made again. */
const AGAIN = 60_000;

/**
 * Fetches the series that new events name, those of them that the mirror holds, so that it is as fresh as the events say. What
 * fails is noted and tried again; the events themselves never wait for it.
 */
export async function fetchDue(app: App, fetching: Fetching): Promise<void> {
  const { mirror, isOver, ...follow } = fetching;
  const { clock } = app.platform;
  const due = new Map<string, JournalEvent>();
  let isCollecting = true;
  const collect = async () => {
    try {
      for await (const event of followJournal({ mirror, clock }, { ...follow, isOver }))
        due.set(`announcements ${event.currency} ${event.indicator}`, event);
    } finally {
      // However it ended: nobody looks for what is due any more.
      isCollecting = false;
    }
  };
  const fetch = async () => {
    let notBefore = 0;
    while (isCollecting || due.size > 0) {
      if (isCollecting) await clock.sleep(LOOK, follow.signal);
      if (due.size === 0 || (clock.now() < notBefore && isCollecting)) continue;
      const named = [...due];
      due.clear();
      const held = await heldOf(mirror, named);
      if (held.length === 0) continue;
      const words = held.map(([selection]) => selection);
      const failure = await fetchNow(app, fetching, words);
      if (!failure) continue;
      if (!isCollecting) return;
      for (const [selection, event] of held) due.set(selection, event);
      notBefore = clock.now() + Math.max(AGAIN, (failure.retryAfter ?? 0) * 1000);
      await app.note(`${failure.message} It is tried again at ${isoSeconds(Math.ceil(notBefore / 1000))}.`);
    }
  };
  await Promise.all([collect(), fetch()]);
}

/** Of the series that events name, each once, those that the mirror holds. */
async function heldOf(mirror: Mirror, named: readonly (readonly [selection: string, event: JournalEvent])[]) {
  const held: (readonly [string, JournalEvent])[] = [];
  for (const one of named) {
    const [, { origin, currency, indicator }] = one;
    const scope = { currency: currency.toUpperCase(), indicator };
    const found = await mirror.find({ endpoint: 'announcements', scope, exact: true });
    if (found.some((series) => series.origin === origin)) held.push(one);
  }
  return held;
}

/** One run. What the next one will meet as well is told and left to `macro sync`: events go on without it. */
async function fetchNow(
  app: App,
  { mirror, live }: Fetching,
  words: readonly string[],
): Promise<MacroError | undefined> {
  const side = await live();
  if (!side) return undefined;
  try {
    const failure = await failureIn(() => runOnce(app, { words: [words.join(', ')], live: side, mirror }));
    if (!failure || PASSING.has(failure.kind)) return failure;
    await app.warn(`The series of new events cannot be fetched: ${failure.message}`);
  } catch (error) {
    if (!(error instanceof MacroError) || error.kind === 'interrupted') throw error;
    await app.warn(`The series of new events cannot be fetched: ${error.message}`);
  }
  return undefined;
}
