// Destinations of deliveries: below /live every one is answered at once, below /slow none is, below /broken each with 500.
import { createServer } from 'node:http';

let awaited = 0;

const server = createServer((request, response) => {
  request.resume();
  request.on('end', () => {
    if (request.url.startsWith('/slow')) return;
    response.writeHead(request.url.startsWith('/live') ? 204 : 500).end();
    if (!request.url.startsWith('/live')) return;
    awaited -= 1;
    if (awaited === 0) process.send({ arrived: true });
  });
});
server.listen(0, '127.0.0.1', () => process.send({ port: server.address().port }));
process.on('message', ({ live }) => {
  if (live !== undefined) awaited = live;
});
