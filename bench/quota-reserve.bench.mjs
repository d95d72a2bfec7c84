// What a request pays for the ledger of all processes, set aside and settled by its answer, beside the shortest request
// that there is: an empty one to this machine over an open connection.
import { Agent, createServer, get } from 'node:http';
import { withHome } from './start-support.mjs';
import { alternate } from './support.mjs';

const REQUESTS = 50;

export default {
  name: 'quota: a request reserved and settled vs an empty request over loopback',
  goal: 1.5,
  run: () => withHome(compare),
};

async function compare(folder) {
  // As it stands: a bundle elsewhere would not find the native package.
  const { openLedger } = await import('../src/client/quota/sqlite-ledger.ts');
  const ledger = openLedger(`${folder}/quota.db`, { service: 'http://127.0.0.1', access: 'key:0123456789ab' });
  const server = createServer((_, response) => response.end());
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const agent = new Agent({ keepAlive: true });
  const empty = () => ask({ port: server.address().port, agent });
  try {
    const ours = () => times(() => spend(ledger));
    const compared = await alternate({ ours, theirs: () => times(empty) });
    const each = (ms) => `${((ms / REQUESTS) * 1000).toFixed(0)} us`;
    return { ...compared, detail: `${each(compared.ours)} against ${each(compared.theirs)} a request` };
  } finally {
    await ledger.close();
    agent.destroy();
    server.close();
  }
}

async function times(work) {
  for (let i = 0; i < REQUESTS; i += 1) await work();
}

function ask(options) {
  return new Promise((resolve, reject) => {
    get({ host: '127.0.0.1', ...options }, (response) => response.resume().on('end', resolve)).on('error', reject);
  });
}

async function spend(ledger) {
  const now = Date.now();
  const wish = { route: 'GET /v1/x', priority: 'interactive', pid: process.pid, now, lease: 60_000 };
  const { granted } = await ledger.reserve(wish);
  await ledger.settle(granted, { kind: 'told', report: answerAt(now) }, now);
}

/** Room enough for any number of rounds. */
function answerAt(now) {
  const primary = { limit: 1_000_000_000, left: 999_000_000 };
  return {
    isRefused: false,
    policy: [
      { limit: 1_000_000_000, seconds: 60 },
      { limit: 2_000_000_000, seconds: 3600 },
    ],
    primary,
    resets: 60 - (Math.floor(now / 1000) % 60),
    tightest: { name: 'minute', ...primary },
    retryAfter: undefined,
  };
}
