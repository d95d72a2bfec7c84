import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

export type Handler = (request: IncomingMessage, response: ServerResponse) => void;

/** A real server on this machine for one test; closed with all its connections when the test ends. Returns its origin. */
export async function startLoopback(handler: Handler): Promise<string> {
  const server = createServer(handler);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo; // a listening TCP server has one
  return `http://127.0.0.1:${port}`;
}
