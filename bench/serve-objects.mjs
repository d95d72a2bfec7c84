// Plain node:http over rows as parsed objects in memory, by path: what a short server of one's own does. Started by serve-programs.mjs.
import { createServer } from 'node:http';

process.on('message', ({ rows }) => {
  if (!rows) return;
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url, 'http://localhost');
    const held = rows[pathname];
    const limit = Number(searchParams.get('limit'));
    const offset = Number(searchParams.get('offset'));
    const data = held.slice(offset, offset + limit);
    const more = offset + limit < held.length;
    const pagination = { limit, offset, returned_count: data.length, total_count: held.length, has_more: more };
    const body = JSON.stringify({ pagination, data });
    response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(body) });
    response.end(body);
  });
  server.listen(0, '127.0.0.1', () => process.send({ port: server.address().port }));
});
