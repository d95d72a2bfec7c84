// What the rows about `serve` share: each server in a process of its own on loopback, asked over raw kept-alive sockets.
import { fork } from 'node:child_process';
import { connect } from 'node:net';
import { benchFolder } from './support.mjs';

/** Enough that the server, not the asker, is the limit. */
const SOCKETS = 64;
const ROUND_MS = 1_000;
const ROUNDS = 4;
/** The budget of a key is 300 a minute: many keys take turns, so that no answer is a 429. */
const KEYS = 4_000;
const PATH = '/v1/forex/EUR/USD?limit=20';

/**
 * Requests a second of ours and of bare node:http that answers the same question with the same bytes from a buffer, in
 * turn. `ratio` is theirs / ours, the time that one of our answers takes in units of a bare one.
 */
export async function compareServers({ conditional }) {
  const ours = await startServer({ kind: 'ours' });
  const page = await fetch(`http://127.0.0.1:${ours.port}${PATH}`, { headers: { 'X-API-Key': 'first' } });
  const etag = page.headers.get('etag');
  const bare = await startServer({ kind: 'bare', body: await page.text(), etag, conditional });
  try {
    const requests = requestsFor(conditional ? `If-None-Match: ${etag}\r\n` : '');
    const status = conditional ? 304 : 200;
    const rates = { ours: [], bare: [] };
    for (let round = -1; round < ROUNDS; round += 1)
      for (const [name, { port }] of Object.entries({ ours, bare })) {
        const rate = await load({ port, requests, status });
        if (round >= 0) rates[name].push(rate);
      }
    return await resultOf(rates, ours);
  } finally {
    ours.child.kill();
    bare.child.kill();
  }
}

async function resultOf(rates, ours) {
  const [our, their] = [median(rates.ours), median(rates.bare)];
  const rss = await ours.memory();
  if (rss > 200) throw new Error(`the server took ${rss} MB of memory, goal under 200`);
  const part = (our / their).toFixed(2);
  return { ratio: their / our, detail: `${our} against ${their} requests/s (${part} of bare), ${rss} MB resident` };
}

/** A child that answers; `memory` tells its resident megabytes. */
function startServer(setup) {
  return new Promise((resolve, reject) => {
    const child = fork(`${benchFolder}/serve-server.mjs`, { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
    const memory = () =>
      new Promise((told) => {
        child.once('message', ({ rss }) => told(rss));
        child.send({ kind: 'memory' });
      });
    child.once('message', ({ port }) => resolve({ child, port, memory }));
    child.once('exit', (code) => reject(new Error(`the server ended with ${code}`)));
    child.send(setup);
  });
}

function requestsFor(extra) {
  return Array.from({ length: KEYS }, (_, i) =>
    Buffer.from(`GET ${PATH} HTTP/1.1\r\nHost: 127.0.0.1\r\nX-API-Key: bench-${i}\r\n${extra}\r\n`),
  );
}

/** Asks on all sockets, the next question after each answer, and tells answers a second. */
function load({ port, requests, status }) {
  let asked = 0;
  let answered = 0;
  let open = SOCKETS;
  const start = performance.now();
  return new Promise((resolve, reject) => {
    const ask = (socket) => socket.write(requests[asked++ % requests.length]);
    for (let i = 0; i < SOCKETS; i += 1) {
      const socket = connect(port, '127.0.0.1', () => ask(socket));
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
        if (performance.now() - start < ROUND_MS) return ask(socket);
        socket.destroy();
        open -= 1;
        if (open === 0) resolve(Math.round((answered * 1000) / (performance.now() - start)));
      });
    }
  });
}

/** Length of the answer that begins with this chunk; its headers are always whole. */
function lengthOf(chunk, status) {
  const end = chunk.indexOf('\r\n\r\n') + 4;
  const head = chunk.latin1Slice(0, end);
  if (!head.startsWith(`HTTP/1.1 ${status} `)) throw new Error(`expected ${status}: ${head.split('\r\n')[0]}`);
  return end + Number(/content-length: (\d+)/i.exec(head)?.[1] ?? 0);
}

function median(values) {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)];
}
