// A page of 20 rows asked again and again, against what Prism makes up from the served /openapi.json: a mock server as others use
// for tests. By the processor's time of each server. Prism computes its answer each time and gives one row of it.
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { peerFile } from './peers.mjs';
import { load, requestsFor } from './serve-load.mjs';
import { sandboxHome, startScript, stop, withSandbox } from './serve-programs.mjs';
import { PAGE } from './serve-support.mjs';
import { inTurn } from './support.mjs';

// No goal of the project names Prism: ours stands in for a mock, and may not be the slower one.
export default {
  name: 'serve: page of 20 rows, against a mock that Prism makes of /openapi.json',
  goal: 1,
  run: () =>
    withSandbox(async (ours) => {
      const file = join(await sandboxHome(), 'openapi.json');
      const document = await fetch(`http://127.0.0.1:${ours.port}/openapi.json`);
      writeFileSync(file, await document.text());
      const prism = await startPrism(file);
      const requests = requestsFor(PAGE);
      const timeOf = async ({ port, takes }) => {
        const before = await takes();
        const answered = await load({ port, requests, status: 200, ms: 1_000 });
        const after = await takes();
        return ((after.ms - before.ms) * 1_000) / answered;
      };
      try {
        const compared = await inTurn({
          ours: () => timeOf(ours),
          theirs: () => timeOf(prism),
          ...{ rounds: 5, warmUps: 1 },
        });
        const detail = `${compared.ours.toFixed(0)} against ${compared.theirs.toFixed(0)} microseconds`;
        return { ...compared, detail };
      } finally {
        await stop(prism);
      }
    }),
};

async function startPrism(file) {
  const script = peerFile('@stoplight/prism-cli', 'dist/index.js');
  const words = ['mock', file, '--port', String(await freePort())];
  return startScript(script, words, { env: process.env, says: /listening on http:\/\/127\.0\.0\.1:(\d+)/ });
}

/** A port that nobody listens on: Prism cannot choose one. */
function freePort() {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });
}
