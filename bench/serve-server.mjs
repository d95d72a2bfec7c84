// A server of the bench: `ours` over a synthetic mirror, or `bare` node:http with one answer. Started by serve-support.mjs.
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer as createBare } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

process.on('message', async (message) => {
  if (message.kind === 'memory') process.send({ rss: Math.round(process.memoryUsage().rss / 1_048_576) });
  else process.send({ port: await (message.kind === 'ours' ? startOurs() : startBare(message)) });
});

function startBare({ body, etag, conditional }) {
  const bytes = Buffer.from(body);
  const server = createBare((_request, response) => {
    if (conditional) {
      response.writeHead(304, { ETag: etag });
      response.end();
    } else {
      response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': bytes.length });
      response.end(bytes);
    }
  });
  return new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(server.address().port)));
}

async function startOurs() {
  const { createServer } = await import('../src/serve/create.ts');
  const { createMirrorSource } = await import('../src/source/mirror.ts');
  const { ENDPOINTS, MAPPINGS } = await import('../src/endpoints/index.ts');
  const { fillSandbox } = await import('../src/sandbox/fill.ts');
  const { nodePlatform } = await import('../src/platform/node.ts');
  const { openMirror } = await import('../src/mirror/open.ts');
  const folder = mkdtempSync(join(tmpdir(), 'macro-bench-'));
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
  process.on('SIGTERM', () => process.exit(0));
  const platform = nodePlatform();
  const site = 'https://svc.example';
  const labels = { service: 'macro-data', storage: 'store', publicBaseUrl: site, subscribeUrl: site, docsUrl: site };
  const mirror = await openMirror({ path: join(folder, 'bench.db'), mappings: MAPPINGS, platform, mode: 'write' });
  await fillSandbox({ mirror, seed: 1, now: platform.clock.now(), size: 'small' });
  const source = createMirrorSource({ mirror, labels });
  const app = await createServer({ source, mirror, endpoints: ENDPOINTS, platform, options: { labels } });
  return Number(new URL(await app.listen(0, '127.0.0.1')).port);
}
