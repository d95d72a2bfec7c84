// Bare sockets that a text is written to, one after the other. Started by serve-programs.mjs.
import { createServer } from 'node:net';

const sockets = [];
const server = createServer((socket) => {
  sockets.push(socket);
  socket.on('error', () => undefined);
});

process.on('message', ({ listen, write }) => {
  if (listen) server.listen(0, '127.0.0.1', () => process.send({ port: server.address().port }));
  if (write === undefined) return;
  const bytes = Buffer.from(write);
  for (const socket of sockets) socket.write(bytes);
});
