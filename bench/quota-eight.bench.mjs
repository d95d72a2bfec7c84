// Eight histories of one key at once, each by a process of its own, against a service that counts exactly: the rate that it
// allows beside the rate that is used. A request that it refuses is an error of the row.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { exactLimiter } from '../test/client/quota/exact-limiter.ts';
import { limitedSentiment } from '../test/client/quota/limited-service.ts';
import { environment, program, withHome } from './start-support.mjs';

const PROCESSES = 8;
const PAGES = 40;
/** What the service allows in a minute, which is half of all pages. */
const LIMIT = (PROCESSES * PAGES) / 2;
const MINUTE = Date.parse('2026-11-21T05:46:00Z');

export default {
  name: 'quota: the allowed rate vs what eight processes use of it, with no 429',
  goal: 1.05,
  run: () => withHome(compare),
};

async function compare(home) {
  const limiter = exactLimiter(
    [
      { window: 'minute', limit: LIMIT },
      { window: 'hour', limit: 5_000 },
      { window: 'month', limit: 1_000_000 },
    ],
    20,
  );
  // The service's minute ends 15 seconds after the first request, whatever our clock says.
  let skew;
  const serviceNow = () => {
    skew ??= MINUTE + 45_000 - Date.now();
    return Date.now() + skew;
  };
  const server = createServer(limitedSentiment(limiter, PAGES * 100, serviceNow)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  try {
    const env = {
      ...environment(home),
      MACRO_BASE_URL: `http://127.0.0.1:${server.address().port}`,
      MACRO_API_KEY: 'k-bench',
    };
    const ended = await Promise.all(Array.from({ length: PROCESSES }, (_, i) => askAll(join(home, `${i}.db`), env)));
    if (ended.some((code) => code !== 0)) throw new Error(`programs ended with ${ended.join(', ')}`);
    if (limiter.refused > 0) throw new Error(`${limiter.refused} requests were refused`);
    const used = limiter.used.get(`minute ${MINUTE}`) ?? 0;
    return { ratio: LIMIT / used, detail: `${used} of ${LIMIT} in the first minute, ${limiter.refused} refused` };
  } finally {
    server.close();
    server.closeAllConnections();
  }
}

async function askAll(mirror, env) {
  const words = ['sentiment', '--start', '2010-01-01', '--all', '--live', '--wait', '--mirror', mirror];
  const child = spawn(process.execPath, [program, ...words], { env, stdio: 'ignore' });
  const [code] = await once(child, 'close');
  return code;
}
