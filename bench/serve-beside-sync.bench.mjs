// 300 keyed requests a second of forty addresses while another program commits pages to the same mirror, beside the same while
// that program only keeps its core busy: the slowest one in a hundred. A request is timed from when it was due.
import { Agent, get } from 'node:http';
import { join } from 'node:path';
import { byAutocannon, p99ByAutocannon } from './serve-autocannon.mjs';
import { startBeside, startMacro, stop } from './serve-programs.mjs';
import { withRates } from './start-support.mjs';
import { inTurn } from './support.mjs';

const A_SECOND = 300;
const SECONDS = 5;
const QUOTES = ['USD', 'GBP', 'JPY', 'CHF', 'AUD', 'CAD', 'NZD', 'SEK', 'NOK', 'DKK'];
const PATHS = QUOTES.flatMap((quote) =>
  [0, 100, 200, 300].map((offset) => `/v1/forex/EUR/${quote}?limit=20&offset=${offset}`),
);

/** Keys take turns: one alone may ask 300 times a minute. */
const QUESTIONS = Array.from({ length: A_SECOND * PATHS.length }, (_, i) => ({
  path: PATHS[i % PATHS.length],
  key: `bench-${i % A_SECOND}`,
}));

export default {
  name: 'serve: p99 at 300 requests a second beside a sync, vs beside a busy core',
  goal: 3,
  run: () =>
    withRates(async (home) => {
      const ours = await startMacro(home, []);
      const other = await startBeside('sync-beside.mjs', { path: join(home, 'mirrors', 'default.db') });
      const agent = new Agent({ keepAlive: true, maxSockets: 64 });
      const p99 = async (busyWith) => {
        other.child.send({ busyWith });
        if (byAutocannon)
          return p99ByAutocannon({ port: ours.port, requests: QUESTIONS, aSecond: A_SECOND, seconds: SECONDS });
        const times = await askEvenly({ port: ours.port, agent });
        return times.sort((a, b) => a - b)[Math.floor(times.length * 0.99)];
      };
      try {
        const compared = await inTurn({
          ours: () => p99('sync'),
          theirs: () => p99('arithmetic'),
          rounds: 7,
          warmUps: 1,
        });
        const pages = await committedBy(other);
        const times = `${compared.ours.toFixed(1)} ms against ${compared.theirs.toFixed(1)} ms`;
        return { ...compared, detail: `${times}, ${pages} pages committed` };
      } finally {
        agent.destroy();
        await stop(other);
        await stop(ours);
      }
    }),
};

async function askEvenly({ port, agent }) {
  const begun = performance.now();
  const times = [];
  const asked = [];
  for (let i = 0; i < A_SECOND * SECONDS; i += 1) {
    const due = begun + (i * 1_000) / A_SECOND;
    const early = due - performance.now();
    if (early > 0) await new Promise((resolve) => setTimeout(resolve, early));
    const { path, key } = QUESTIONS[i % QUESTIONS.length];
    asked.push(
      answered({ host: '127.0.0.1', port, agent, path, headers: { 'X-API-Key': key } }).then(() => {
        times.push(performance.now() - due);
      }),
    );
  }
  await Promise.all(asked);
  return times;
}

function answered(options) {
  return new Promise((resolve, reject) => {
    get(options, (response) => {
      if (response.statusCode !== 200) reject(new Error(`${options.path} was answered with ${response.statusCode}`));
      response.resume().on('end', resolve);
    }).on('error', reject);
  });
}

function committedBy({ child }) {
  return new Promise((resolve) => {
    child.once('message', ({ committed }) => resolve(committed));
    child.send({ count: true });
  });
}
