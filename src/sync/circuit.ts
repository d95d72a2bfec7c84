import type { Client } from '../client/client.ts';
import ping from '../endpoints/health/ping.ts';
import { MacroError } from '../errors.ts';
import type { Clock } from '../platform/platform.ts';

/** Different series that fail one after the other: from the second on the probe is asked, the fifth ends the run. */
const PROBED_IN_ROW = 2;
const MAX_IN_ROW = 5;

/** Time for the probe, in milliseconds. */
const PROBE_MS = 10_000;

/** Tells a service that fails as a whole from one that fails for some series. */
export interface Circuit {
  /** The service answered for a series, be it with a refusal. */
  noteAnswer(): void;
  /** Notes that a series got no answer. Gives the error that ends the run when the service as a whole fails. */
  noteFailure(name: string, error: MacroError): Promise<MacroError | undefined>;
}

/**
 * Opens when several different series fail in a row, or when the probe fails too. The probe is asked after the second
 * failure in a row, and after the first while the service has answered nothing yet.
 */
export function createCircuit(probe: () => Promise<boolean>): Circuit {
  const inRow = new Set<string>();
  let hasAnswered = false;
  return {
    noteAnswer() {
      hasAnswered = true;
      inRow.clear();
    },
    async noteFailure(name, error) {
      inRow.add(name);
      if (inRow.size >= MAX_IN_ROW) return down(`${inRow.size} series failed one after the other`, error);
      const isSuspect = !hasAnswered || inRow.size >= PROBED_IN_ROW;
      return !isSuspect || (await probe()) ? undefined : down('its probe (/v1/ping) fails too', error);
    },
  };
}

function down(why: string, error: MacroError): MacroError {
  return new MacroError('upstream', `The service as a whole does not work: ${why}. ${error.message}`, {
    code: 'service_down',
    hint: 'Run it again later: it begins with the series that were not tried yet.',
    cause: error,
  });
}

/** Makes the probe: true when the service answers anything at all. */
export function serviceProbe(client: Client, clock: Pick<Clock, 'alarm'>, signal: AbortSignal | undefined) {
  return async (): Promise<boolean> => {
    const limit = new AbortController();
    const ended = new AbortController();
    clock.alarm(PROBE_MS, ended.signal).then(
      () => limit.abort(new MacroError('upstream', 'The probe got no answer in time.', { code: 'timeout' })),
      () => undefined,
    );
    try {
      await client.ask({
        endpoint: ping,
        args: {},
        signal: AbortSignal.any([limit.signal, ...(signal ? [signal] : [])]),
      });
      return true;
    } catch (error) {
      if (error instanceof MacroError && error.kind !== 'interrupted') return error.kind !== 'upstream';
      throw error;
    } finally {
      ended.abort();
    }
  };
}
