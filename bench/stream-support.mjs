// What the rows about the stream share: many subscribers in this process, and a release that is made up.
import { execFileSync } from 'node:child_process';
import { connect } from 'node:net';
import { sandboxHome } from './serve-programs.mjs';
import { environment, program } from './start-support.mjs';

export const SUBSCRIBERS = 2_000;

/** Opens so many connections; each says `hello`, where there is one, and has been answered when this resolves. */
export async function subscribe(port, hello, count = SUBSCRIBERS) {
  const sockets = [];
  // In turns: a server takes so many new connections at once, and the rest would be refused.
  while (sockets.length < count) {
    const from = sockets.length;
    const together = Math.min(50, count - from);
    sockets.push(...(await Promise.all(Array.from({ length: together }, (_, i) => open(port, hello?.(from + i))))));
  }
  return sockets;
}

function open(port, hello) {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => {
      if (hello === undefined) return resolve(socket);
      socket.write(hello);
      socket.once('data', () => resolve(socket));
    });
    socket.on('error', reject);
  });
}

/** What a subscriber of the stream asks with; a key of its own, so that none is a 429. */
export function question(i) {
  return `GET /v1/stream/events HTTP/1.1\r\nHost: 127.0.0.1\r\nX-API-Key: bench-${i}\r\n\r\n`;
}

/** Has a release made up by another process, as it comes in life. */
export async function trigger() {
  const words = ['webhooks', 'trigger', 'usd', 'inflation', '--quiet'];
  execFileSync(process.execPath, [program, ...words], { env: environment(await sandboxHome()), stdio: 'ignore' });
}

/** Milliseconds from the first subscriber that has an event to the last one. */
export function spread(sockets) {
  let first;
  let missing = sockets.length;
  return new Promise((resolve) => {
    for (const socket of sockets) {
      const hear = (chunk) => {
        if (!chunk.includes('event: announcement')) return;
        socket.off('data', hear);
        first ??= performance.now();
        missing -= 1;
        if (missing === 0) resolve(performance.now() - first);
      };
      socket.on('data', hear);
    }
  });
}
