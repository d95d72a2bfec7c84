import { createWire } from '../../client/http/wire.ts';
import { followStream } from '../../client/stream/follow.ts';
import { createIdleWatchdog, type IdleWatchdog, watched } from '../../client/stream/idle-watchdog.ts';
import { releaseCutoff } from '../../contract/access.ts';
import { instantOf } from '../../contract/time/time.ts';
import changes from '../../endpoints/announcements/changes.ts';
import stream from '../../endpoints/events/stream.ts';
import { MacroError } from '../../errors.ts';
import { type ChangesPage, createCatchUp, type Lost } from '../../events/catch-up.ts';
import type { LiveFeed } from '../../events/follow.ts';
import { receiveStream } from '../../events/receive-stream.ts';
import { eventRecorder } from '../../events/record.ts';
import type { Mirror } from '../../mirror/api/mirror.ts';
import { eventPage } from '../../mirror/rules/event-page.ts';
import { accessOf, rowsOf } from '../../source/stored/answer-commit.ts';
import { closeWatched, eventsCompleteUntil } from '../../source/watched-times.ts';
import { changesNamer } from '../../sync/feeds.ts';
import type { App, LiveHandle } from './app.ts';
import { checkAddress, noteProxy, serviceOptions } from './service.ts';

/** The stream of the configured service, stored in the mirror. */
export type StreamHandle = Awaited<ReturnType<typeof openStreamHandle>>;

/** Events become readable without a key a quarter of an hour late, in another order than they were processed. */
const SLACK = { keyed: 60, keyless: 3600 } as const;

/**
 * Receives every event that the key may see: another follower needs what this one leaves out. `maxSilence`: milliseconds
 * without a byte after which it ends as `stale`.
 */
export async function openStreamHandle(
  app: App,
  live: LiveHandle,
  mirror: Mirror,
  options: { payload: string; maxSilence: number | undefined; onGap: (gap: Lost) => Promise<void> },
) {
  const { clock, random } = app.platform;
  const { client } = live;
  const kept = {
    mirror,
    clock,
    service: client.service,
    access: accessOf(changes, client.access),
    named: changesNamer(),
  };
  const { service: origin } = client;
  const changesRecorder = eventRecorder({ ...kept, via: 'changes' });
  // One over all that is asked: before the first connection, and between two, only changes are waited for.
  const watchdog = createIdleWatchdog(clock, options.maxSilence);
  const catchUp = await createCatchUp({
    journal: mirror.journal,
    clock,
    origin,
    completeUntil: await eventsCompleteUntil(mirror, origin),
    slack: client.access === 'keyless' ? SLACK.keyless : SLACK.keyed,
    changesSince: (since) => changesSince(app, live, { since, payload: options.payload, watchdog }),
    record: changesRecorder,
    onGap: options.onGap,
    wholeUntil: (now) => {
      const seconds = Math.floor(now / 1000);
      return client.access === 'keyless' ? releaseCutoff(seconds) : seconds;
    },
    async onWatched(from, to, synthetic) {
      const kind = synthetic ? 'synthetic' : 'real';
      await mirror.commitPage({
        ...eventPage({ origin, nature: kind, access: kept.access, via: 'changes', rows: [], at: clock.now() }),
        covered: { from, to, rows: 0 },
      });
      await closeWatched(mirror, origin, clock.now());
    },
    onFailure: (error) =>
      app.warn(`Missed events cannot be fetched now: ${error.message} It is tried again.`, 'catch_up_failed'),
  });
  const came = eventRecorder({ ...kept, via: 'stream' });
  return {
    catchUp,
    /** Keeps what comes until the service says that there is no more, or the signal. With a live feed nothing is sent again. */
    async receive(signal: AbortSignal, live?: LiveFeed): Promise<void> {
      const wire = createWire(streamOptions(app));
      const args = { payload: options.payload, ...(live && { live_only: true }) };
      const messages = followStream({ wire, clock, random }, { endpoint: stream, args, signal, watchdog });
      await receiveStream(messages, {
        record: came,
        catchUp,
        clock,
        live,
        tell: (sentence) => app.note(sentence, 'about_stream'),
      });
    },
  };
}

interface Missed {
  readonly since: number | undefined;
  readonly payload: string;
  readonly watchdog: IdleWatchdog;
}

async function* changesSince(app: App, { client }: LiveHandle, ask: Missed): AsyncGenerator<ChangesPage> {
  const { since, payload, watchdog } = ask;
  const args = { payload, limit: 500, ...(since !== undefined && { since: String(since) }) };
  const walk = (signal: AbortSignal) => client.pages({ endpoint: changes, args, signal });
  let isUnbounded = false;
  for await (const { cut, synthetic } of watched(walk, watchdog, app.signal)) {
    const { gap, oldest_available: oldest } = cut.envelope;
    const missedBefore = gap === true ? instantOf(oldest) : undefined;
    isUnbounded ||= gap === true && missedBefore === undefined;
    yield { rows: rowsOf(cut), synthetic, missedBefore };
  }
  // The available events are stored; the missing range before them stays open, and is requested again.
  if (isUnbounded)
    throw new MacroError('protocol', 'The service no longer keeps some events, and does not say until when.', {
      code: 'gap_without_end',
    });
}

/** The service's own options, with the address of its stream: key and books are the same. */
function streamOptions(app: App) {
  const options = serviceOptions(app, 'background');
  if (!options) throw new MacroError('internal', 'A stream was opened without a service.');
  const { streamUrl } = app.settings;
  checkAddress(streamUrl, options.key !== undefined);
  if (streamUrl.value === undefined) return options;
  return { ...options, baseUrl: streamUrl.value, proxy: noteProxy(app, streamUrl.value) };
}
