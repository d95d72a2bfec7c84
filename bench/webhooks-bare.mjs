// Bare node:http that checks the signature of a delivery, appends its body to a file and syncs that once for all that came together.
// Started by serve-programs.mjs.
import { createHmac, timingSafeEqual } from 'node:crypto';
import { fsyncSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const folder = mkdtempSync(join(tmpdir(), 'macro-bench-bare-'));
const file = openSync(join(folder, 'bodies'), 'a');
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));

let batch = [];

function flush() {
  const taken = batch;
  batch = [];
  writeSync(file, Buffer.concat(taken.map(({ body }) => body)));
  fsyncSync(file);
  for (const { response } of taken) response.writeHead(204).end();
}

process.on('message', ({ secret }) => {
  if (!secret) return;
  const server = createServer((request, response) => {
    const chunks = [];
    request.on('data', (chunk) => chunks.push(chunk));
    request.on('end', () => {
      const { headers } = request;
      const body = Buffer.concat(chunks);
      const signed = createHmac('sha256', secret)
        .update(`${headers['x-svc-timestamp']}.${headers['x-svc-event-id']}.`)
        .update(body)
        .digest();
      const sent = Buffer.from(headers['x-svc-signature'].slice(3), 'hex');
      if (!timingSafeEqual(signed, sent)) return response.writeHead(401).end();
      if (batch.length === 0) setImmediate(flush);
      batch.push({ body, response });
    });
  });
  server.listen(0, '127.0.0.1', () => process.send({ port: server.address().port }));
});
