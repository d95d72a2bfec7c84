import { MacroError } from '../errors.ts';
import { closeGently, isLoopbackHost, listenError } from '../platform/listening.ts';
import { createServer, type ServeApp } from './create.ts';
import type { ServerParts } from './options.ts';

export const DEFAULT_HOST = '127.0.0.1';
export const DEFAULT_PORT = 8787;

export interface StartOptions extends ServerParts {
  /** 0 takes any free port. */
  readonly port?: number;
  readonly host?: string;
}

/** A server that takes requests. */
export interface RunningServer {
  /** `http://127.0.0.1:8787` */
  readonly address: string;
  readonly app: ServeApp;
  /** Stops taking requests, gives those under way some seconds, then cuts what is left. */
  close(): Promise<void>;
}

/**
 * Builds a server and makes it listen. Only loopback is bound without a list of keys: a mirror is for its owner.
 * @throws MacroError of kind `usage`.
 */
export async function startServe(options: StartOptions): Promise<RunningServer> {
  const { port = DEFAULT_PORT, host = DEFAULT_HOST } = options;
  refuseWideHost(host, options.options);
  const app = await createServer({ ...options, options: { ...options.options, boundTo: host } });
  try {
    const address = await app.listen(port, host);
    return { address, app, close: () => closeGently(app, options.platform.clock) };
  } catch (error) {
    await app.close();
    throw listenError(error, port, host);
  }
}

function refuseWideHost(host: string, { keys, open }: ServerParts['options']): void {
  if (isLoopbackHost(host) || (keys && !open)) return;
  throw new MacroError('usage', `Refused to listen on ${host}: others could read this mirror.`, {
    hint: open
      ? 'Leave out --open, or listen on 127.0.0.1.'
      : 'Say who may ask with --keys FILE, or listen on 127.0.0.1.',
  });
}
