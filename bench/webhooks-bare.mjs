// Bare node:http that checks the signature of a delivery and does nothing else. Started by serve-programs.mjs.
import { createHmac, timingSafeEqual } from 'node:crypto';
import { createServer } from 'node:http';

process.on('message', ({ secret }) => {
  if (!secret) return;
  const server = createServer((request, response) => {
    const chunks = [];
    request.on('data', (chunk) => chunks.push(chunk));
    request.on('end', () => {
      const { headers } = request;
      const signed = createHmac('sha256', secret)
        .update(`${headers['x-svc-timestamp']}.${headers['x-svc-event-id']}.`)
        .update(Buffer.concat(chunks))
        .digest();
      const sent = Buffer.from(headers['x-svc-signature'].slice(3), 'hex');
      response.writeHead(timingSafeEqual(signed, sent) ? 204 : 401);
      response.end();
    });
  });
  server.listen(0, '127.0.0.1', () => process.send({ port: server.address().port }));
});
