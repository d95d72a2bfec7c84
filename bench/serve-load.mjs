// Many questions at once over raw kept-alive sockets, so that the server and not the asker is the limit; or, under
// `npm run bench -- --autocannon`, by a load generator that is not ours. What is counted is the question, not its connection:
// sockets stay open from one load to the next.
import { once } from 'node:events';
import { connect } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import { byAutocannon, loadByAutocannon } from './serve-autocannon.mjs';

const SOCKETS = 64;
/** The budget of a key is 300 a minute: many keys take turns, so that no answer is a 429. */
const KEYS = 8_000;

/** Keyed GETs of one path, one for each key. `etag` makes them conditional. */
export function requestsFor(path, etag) {
  return Array.from({ length: KEYS }, (_, i) => ({ path, key: `bench-${i}`, etag }));
}

/** Asks each path once, under many keys. */
export function loadOnce({ port, paths, status = 200 }) {
  const requests = paths.map((path, i) => ({ path, key: `bench-${i % KEYS}` }));
  return load({ port, requests, status, most: requests.length });
}

/** Asks for some time or at most so many questions, and tells how many answers came. */
export function load({ requests, ...bounds }) {
  if (byAutocannon) return loadByAutocannon({ requests, connections: SOCKETS, ...bounds });
  return send({ requests: requests.map(textOf), ...bounds });
}

function textOf({ path, key, etag }) {
  const extra = etag === undefined ? '' : `If-None-Match: ${etag}\r\n`;
  return Buffer.from(`GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nX-API-Key: ${key}\r\n${extra}\r\n`);
}

/** Writes requests as they are on all sockets, the next one after each answer, and tells how many answers came. */
export async function send({ port, requests, status, ms = Number.POSITIVE_INFINITY, most = Number.POSITIVE_INFINITY }) {
  const sockets = await takeSockets(port, Math.min(SOCKETS, most));
  let asked = 0;
  let answered = 0;
  let busy = sockets.length;
  const start = performance.now();
  await new Promise((resolve, reject) => {
    const ask = (socket) => socket.write(requests[asked++ % requests.length]);
    for (const socket of sockets) {
      let missing = 0;
      socket.on('error', reject);
      socket.on('data', (chunk) => {
        try {
          missing = missing === 0 ? lengthOf(chunk, status) - chunk.length : missing - chunk.length;
        } catch (error) {
          socket.destroy();
          return reject(error);
        }
        if (missing > 0) return;
        answered += 1;
        if (asked < most && performance.now() - start < ms) return ask(socket);
        busy -= 1;
        if (busy === 0) resolve();
      });
      ask(socket);
    }
  });
  keepSockets(port, sockets);
  return answered;
}

/** Sockets that are open and that nobody uses, by port. */
const open = new Map();

/** Sockets to a port: those that are open already, and new ones. */
async function takeSockets(port, count) {
  // Those that the server closed meanwhile say so.
  await setImmediate();
  const kept = (open.get(port) ?? []).filter((socket) => socket.readyState === 'open');
  open.delete(port);
  const others = Array.from({ length: Math.max(0, count - kept.length) }, async () => {
    const socket = connect(port, '127.0.0.1');
    await once(socket, 'connect');
    return socket;
  });
  return [...kept.slice(0, count), ...(await Promise.all(others))];
}

function keepSockets(port, sockets) {
  for (const socket of sockets)
    socket
      .removeAllListeners('data')
      .removeAllListeners('error')
      .on('error', () => {});
  open.set(port, sockets);
}

/** Length of the answer that begins with this chunk; its headers are always whole. */
function lengthOf(chunk, status) {
  const end = chunk.indexOf('\r\n\r\n') + 4;
  const head = chunk.latin1Slice(0, end);
  if (!head.startsWith(`HTTP/1.1 ${status} `)) throw new Error(`expected ${status}: ${head.split('\r\n')[0]}`);
  return end + Number(/content-length: (\d+)/i.exec(head)?.[1] ?? 0);
}
