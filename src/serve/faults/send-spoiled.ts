// Sends an answer as its faults want it.
import type { ServerResponse } from 'node:http';
import type { SpoiledAnswer } from './edit-answer.ts';

/** Sends an answer as its faults want it. A connection whose answer was no whole one is not used again. */
export function sendSpoiled(response: ServerResponse, answer: SpoiledAnswer): void {
  const { status, headers, body, cutAfter, hasWrongLength } = answer;
  if (response.destroyed) return;
  response.writeHead(status, headers);
  const isBare = response.req.method === 'HEAD' || status === 204 || status === 304;
  if (cutAfter !== undefined) {
    const part = isBare ? Buffer.alloc(0) : body.subarray(0, cutAfter);
    const reset = () => setImmediate(() => response.socket?.resetAndDestroy());
    response.flushHeaders();
    // The bytes are with the system before the connection is reset: it would drop what waits here.
    if (part.length > 0) response.write(part, reset);
    else reset();
  } else if (hasWrongLength && !isBare) {
    const { socket } = response;
    response.write(body, () => socket?.end());
  } else {
    response.end(isBare ? undefined : body);
  }
}
