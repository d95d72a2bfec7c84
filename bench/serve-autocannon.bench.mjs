// The same as serve-page, asked by a load generator that is not ours.
import { peer } from './peers.mjs';
import { startBare, stop, withSandbox } from './serve-programs.mjs';
import { answerOf, PAGE } from './serve-support.mjs';
import { inTurn } from './support.mjs';

// Goal: at least 0.6 of the requests a second of bare node:http, so at most 1.67 times its time.
export default {
  name: 'serve: a page of 20 rows, keyed, against bare node:http, asked by autocannon',
  goal: 1.67,
  run: () =>
    withSandbox(async (ours) => {
      const bare = await startBare({ [PAGE]: await answerOf(ours.port, PAGE) });
      try {
        const compared = await inTurn({
          ...{ ours: () => timeOf(ours), theirs: () => timeOf(bare) },
          ...{ rounds: 5, warmUps: 1 },
        });
        const { ours: own, theirs: other } = compared;
        return { ...compared, detail: `${own.toFixed(1)} against ${other.toFixed(1)} microseconds a request` };
      } finally {
        await stop(bare);
      }
    }),
};

/** Keys that take turns, one for each connection of a run: a key may ask 300 times a minute. */
let runs = 0;

async function timeOf({ port, takes }) {
  const autocannon = peer('autocannon');
  runs += 1;
  const before = await takes();
  const { requests, non2xx } = await autocannon({
    ...{ url: `http://127.0.0.1:${port}${PAGE}`, connections: 64, amount: 15_000 },
    setupClient: keysOf(runs),
  });
  if (non2xx > 0) throw new Error(`${non2xx} answers were refused`);
  const after = await takes();
  return ((after.ms - before.ms) * 1_000) / requests.total;
}

function keysOf(run) {
  let clients = 0;
  return (client) => {
    clients += 1;
    client.setHeaders({ 'X-API-Key': `bench-${run}-${clients}` });
  };
}
