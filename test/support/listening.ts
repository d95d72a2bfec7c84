import { EventEmitter } from 'node:events';
import { startLoopback } from './loopback.ts';
import { testPlatform } from './platform.ts';
import { sandboxMirror, serviceOver } from './service.ts';

export interface ListeningSandbox {
  readonly origin: string;
  /** Emits `one` after each answer. */
  readonly answered: EventEmitter;
}

const HOUR_MS = 3_600_000;

/**
 * The small sandbox of today behind a socket, without quotas, for programs in processes of their own: they have the real
 * clock. Closed when the test ends. All tests of an hour read one file: a data set is that of a day.
 */
export async function listeningSandbox(): Promise<ListeningSandbox> {
  const now = Date.now();
  const filled = testPlatform({ now: now - (now % HOUR_MS) });
  const { platform } = testPlatform({ now });
  const service = await serviceOver(await sandboxMirror(filled.platform), platform);
  const answered = new EventEmitter();
  const origin = await startLoopback(async (request, response) => {
    const headers = Object.entries(request.headers).map(([name, value]): [string, string] => [name, String(value)]);
    const reply = await service.fetch(`http://127.0.0.1${request.url}`, { headers });
    response.writeHead(reply.status, Object.fromEntries(reply.headers));
    response.end(Buffer.from(await reply.arrayBuffer()));
    answered.emit('one');
  });
  return { origin, answered };
}
