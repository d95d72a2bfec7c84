import { createServer } from 'node:http';
import { connect, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';

export interface ConnectProxy {
  /** `127.0.0.1:port`. */
  readonly host: string;
  /** What it was asked for: `CONNECT host:port` or `METHOD address`, with the credentials behind it. */
  readonly seen: readonly string[];
}

/** A real proxy of this machine, whose every tunnel leads to one port of this machine; closed with the test. */
export async function startConnectProxy(port: () => number, status = 200): Promise<ConnectProxy> {
  const seen: string[] = [];
  const sockets = new Set<Socket>();
  const note = (what: string, credentials: string | undefined) =>
    seen.push([what, ...(credentials === undefined ? [] : [credentials])].join(' '));
  const server = createServer((request, response) => {
    note(`${request.method} ${request.url}`, request.headers['proxy-authorization']);
    response.end('{}');
  });
  server.on('connect', (request, client: Socket) => {
    note(`CONNECT ${request.url}`, request.headers['proxy-authorization']);
    if (status !== 200) return void client.end(`HTTP/1.1 ${status} No\r\n\r\n`);
    const upstream = connect(port(), '127.0.0.1', () => client.write('HTTP/1.1 200 OK\r\n\r\n'));
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on('error', () => undefined);
    }
    client.pipe(upstream).pipe(client);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('it does not listen on a port');
  return { host: `127.0.0.1:${address.port}`, seen };
}
