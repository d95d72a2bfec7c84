// What the rows about `serve` share: ours against bare node:http that answers with the same bytes, asked in turn.
import { ENDPOINTS } from '../src/endpoints/index.ts';
import { load, requestsFor } from './serve-load.mjs';
import { startBare, stop, withSandbox } from './serve-programs.mjs';
import { inTurn } from './support.mjs';

export const PAGE = '/v1/forex/EUR/USD?limit=20';

/** A page of 20 rows of each endpoint that is paged by offset, or as many as it gives at most. */
export const HISTORY_PAGES = ENDPOINTS.filter(({ paging }) => paging.kind === 'offset').map((endpoint) => {
  const { example = {}, exampleQuery = {} } = endpoint.doc;
  const query = new URLSearchParams({ ...exampleQuery, limit: String(Math.min(20, endpoint.paging.max)) });
  return `${filledPath(endpoint.path, example)}?${query}`;
});

function filledPath(path, example) {
  return path.replace(/\{(\w+)\}/g, (_, name) => example[name]);
}

/** An answer of `macro serve` to a keyed question. */
export async function answerOf(port, path) {
  const answer = await fetch(`http://127.0.0.1:${port}${path}`, { headers: { 'X-API-Key': 'first' } });
  if (answer.status !== 200) throw new Error(`${path} was answered with ${answer.status}: ${await answer.text()}`);
  return { body: await answer.text(), etag: answer.headers.get('etag') };
}

/**
 * Milliseconds of load, of which nothing is counted, before the first path: within its first 30,000 answers or so a server takes
 * up to eight times as long for one as later, for the engine compiles what it runs. Bare node:http gets the same.
 */
const WARM_MS = 5_000;

/**
 * The processor's time that an answer takes of ours in units of a bare one, both asked for as much as they can, in turn: that of
 * the worst path. A server is one thread, so on a machine of its own this is the requests a second of bare / ours.
 */
export function compareServers(paths, { conditional = false, rounds = 6, ms = 1_000 } = {}) {
  return withSandbox(async (ours) => {
    const answers = {};
    for (const path of paths) answers[path] = await answerOf(ours.port, path);
    const bare = await startBare(answers);
    try {
      const [first] = paths;
      for (const { port } of [ours, bare]) await load({ port, requests: requestsFor(first), status: 200, ms: WARM_MS });
      let worst = { ratio: 0 };
      for (const path of paths) {
        const etag = conditional ? answers[path].etag : undefined;
        const told = await compareOne(path, { servers: { ours, bare }, etag, rounds, ms });
        if (told.ratio > worst.ratio) worst = told;
      }
      return worst;
    } finally {
      await stop(bare);
    }
  });
}

async function compareOne(path, { servers, etag, rounds, ms }) {
  const requests = requestsFor(path, etag);
  const status = etag === undefined ? 200 : 304;
  const timeOf = async ({ port, takes }) => {
    const before = await takes();
    const answered = await load({ port, requests, status, ms });
    const after = await takes();
    return ((after.ms - before.ms) * 1_000) / answered;
  };
  const { ours, bare } = servers;
  const compared = await inTurn({ ours: () => timeOf(ours), theirs: () => timeOf(bare), rounds, warmUps: 1 });
  const told = `${compared.ours.toFixed(1)} against ${compared.theirs.toFixed(1)} microseconds`;
  return { ...compared, detail: `${path}: ${told} (${(1 / compared.ratio).toFixed(2)} of bare)` };
}
