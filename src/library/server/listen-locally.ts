import type { RequestListener } from 'node:http';
import { createBoundedServer } from '../../platform/bounded-server.ts';
import { listenError } from '../../platform/listening.ts';
import type { Clock } from '../../platform/platform.ts';
import { BOUNDS } from '../../serve/options.ts';

const HOST = '127.0.0.1';

/** A server that takes connections. It outlives what answers, so that its address stays over a reset. */
export interface LocalServer {
  readonly url: string;
  /** Takes no more, and cuts what is open. */
  close(): Promise<void>;
}

/** Listens on this machine alone; port 0, or none, is any free one. */
export function listenLocally(handler: RequestListener, clock: Clock, port = 0): Promise<LocalServer> {
  const server = createBoundedServer(handler, { bounds: BOUNDS, clock });
  return new Promise((resolve, reject) => {
    server.once('error', (error) => reject(listenError(error, port, HOST)));
    server.listen(port, HOST, () => {
      const address = server.address();
      const bound = typeof address === 'object' && address ? address.port : port;
      resolve({ url: `http://${HOST}:${bound}`, close });
    });
  });

  function close(): Promise<void> {
    return new Promise((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  }
}
