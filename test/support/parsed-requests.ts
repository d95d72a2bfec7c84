import { channel } from 'node:diagnostics_channel';
import type { IncomingMessage } from 'node:http';
import { onTestFinished } from 'vitest';

/** Counts the requests that Node's parser has read on a port, of which Node tells. */
export function countParsed(port: number): () => number {
  let count = 0;
  const started = channel('http.server.request.start');
  const heard = (message: unknown) => {
    const { request } = message as { request: IncomingMessage }; // as Node documents the channel
    if (request.socket.localPort === port) count += 1;
  };
  started.subscribe(heard);
  onTestFinished(() => void started.unsubscribe(heard));
  return () => count;
}
