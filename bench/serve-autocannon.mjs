// The questions of the rows about `serve`, asked by autocannon.
import { peer } from './peers.mjs';

export const byAutocannon = process.argv.includes('--autocannon');

/** Questions that a connection is opened for: autocannon keeps none, and what is counted is the question. */
const QUESTIONS_A_CONNECTION = 50;

/** Asks for some time or at most so many questions, and tells how many answers came. */
export async function loadByAutocannon({ port, requests, status, connections, ms, most = Number.POSITIVE_INFINITY }) {
  const bound = Number.isFinite(most) ? { amount: most } : { duration: ms / 1_000 };
  const opened = Math.min(connections, Math.ceil(most / QUESTIONS_A_CONNECTION));
  const told = await run({ port, requests, connections: opened, ...bound });
  if (told.statusCodeStats[status]?.count !== told.requests.total)
    throw new Error(`expected ${status}: ${JSON.stringify(told.statusCodeStats)}`);
  return told.requests.total;
}

/** Asks so many times a second, and tells the slowest one in a hundred, timed from when it was due. */
export async function p99ByAutocannon({ port, requests, aSecond, seconds }) {
  const told = await run({ port, requests, connections: 64, overallRate: aSecond, duration: seconds });
  if (told.non2xx > 0) throw new Error(`${told.non2xx} answers were refused`);
  return told.latency.p99;
}

function run({ port, requests, ...bounds }) {
  let asked = 0;
  const setupRequest = (request) => {
    const { path, key, etag } = requests[asked++ % requests.length];
    const headers = { 'X-API-Key': key, ...(etag !== undefined && { 'If-None-Match': etag }) };
    return { ...request, path, headers };
  };
  return peer('autocannon')({ url: `http://127.0.0.1:${port}`, requests: [{ setupRequest }], ...bounds });
}
