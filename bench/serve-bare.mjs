// Bare node:http that gives known answers from buffers: `{ path: { body, etag } }`. Started by serve-programs.mjs.
import { createServer } from 'node:http';

process.on('message', ({ answers }) => {
  if (!answers) return;
  const known = new Map(
    Object.entries(answers).map(([path, { body, etag }]) => [path, { bytes: Buffer.from(body), etag }]),
  );
  const server = createServer((request, response) => {
    const { bytes, etag } = known.get(request.url);
    if (request.headers['if-none-match'] === etag) {
      response.writeHead(304, { ETag: etag });
      response.end();
    } else {
      response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': bytes.length });
      response.end(bytes);
    }
  });
  server.listen(0, '127.0.0.1', () => process.send({ port: server.address().port }));
});
