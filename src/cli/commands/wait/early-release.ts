import { MacroError } from '../../../errors.ts';
import type { Mirror } from '../../../mirror/api/mirror.ts';
import type { ReleaseSeries } from '../../../sync/series/awaited.ts';
import type { App, LiveHandle } from '../../app/app.ts';
import { openStreamHandle } from '../../app/stream-handle.ts';

/** Hears of a release of one series before the calendar says that it comes. */
export interface EarlyRelease {
  /** Follows the event stream from now on, which is one request however long it lasts. */
  listen(): Promise<void>;
  /** From now on only events count that are still to come. */
  forget(): Promise<void>;
  /** An event of the series came, by our stream or by another program that keeps events in this mirror. */
  hasCome(): Promise<boolean>;
  close(): void;
}

interface Parts extends ReleaseSeries {
  readonly live: LiveHandle;
  readonly mirror: Mirror;
}

export function hearEarlyRelease(app: App, { live, mirror, currency, indicator }: Parts): EarlyRelease {
  const stop = new AbortController();
  let isListening = false;
  let position = 0;
  let seen: number | undefined;

  async function follow(): Promise<void> {
    const options = { payload: 'compact', maxSilence: undefined, onGap: async () => undefined };
    const handle = await openStreamHandle(app, live, mirror, options);
    await handle.receive(AbortSignal.any([app.signal, stop.signal]));
  }

  return {
    async listen() {
      if (isListening) return;
      isListening = true;
      // Without a stream the looks by the calendar are left.
      follow().catch((error: unknown) => {
        const why = error instanceof Error ? error.message : String(error);
        if (!stop.signal.aborted) void app.verbose(`No stream: ${why}`, 'no_stream');
      });
    },
    async forget() {
      position = await mirror.journal.newest();
      seen = undefined;
    },
    async hasCome() {
      const version = mirror.version();
      if (version === seen) return false;
      seen = version;
      const subjects = await mirror.journal.subjects(position);
      position = subjects.at(-1)?.position ?? position;
      return subjects.some((one) => one.currency === currency.toLowerCase() && one.indicator === indicator);
    },
    close: () => stop.abort(new MacroError('interrupted', 'The wait is over.')),
  };
}
