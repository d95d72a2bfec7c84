import { MacroError } from '../errors.ts';
import type { Platform } from '../platform/platform.ts';
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

/** Builds a server and makes it listen. Only loopback is bound without a list of keys: a mirror is for its owner. */
export async function startServe(options: StartOptions): Promise<RunningServer> {
  const { port = DEFAULT_PORT, host = DEFAULT_HOST } = options;
  refuseWideHost(host, options.options);
  // Without a list of keys any key is good, so the name is all that keeps other sites out.
  const loopbackOnly = isLoopback(host) && !options.options.keys;
  const app = await createServer({ ...options, options: { ...options.options, loopbackOnly } });
  try {
    const address = await app.listen(port, host);
    return { address, app, close: () => closeGently(app, options.platform.clock) };
  } catch (error) {
    await app.close();
    throw listenError(error, port, host);
  }
}

function isLoopback(host: string): boolean {
  return /^(localhost|127(\.\d{1,3}){3}|::1)$/.test(host);
}

function refuseWideHost(host: string, { keys, open }: ServerParts['options']): void {
  if (isLoopback(host) || (keys && !open)) return;
  throw new MacroError('usage', `Refused to listen on ${host}: others could read this mirror.`, {
    hint: open
      ? 'Leave out --open, or listen on 127.0.0.1.'
      : 'Say who may ask with --keys FILE, or listen on 127.0.0.1.',
  });
}

const GRACE_MS = 5_000;

async function closeGently(app: ServeApp, clock: Platform['clock']): Promise<void> {
  const done = new AbortController();
  const late = clock.sleep(GRACE_MS, done.signal).then(
    () => app.cut(),
    () => undefined,
  );
  await app.close();
  done.abort();
  await late;
}

function listenError(error: unknown, port: number, host: string): unknown {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  const hint = 'Choose another with --port; --port 0 takes any free one.';
  if (code === 'EADDRINUSE')
    return new MacroError('usage', `Port ${port} of ${host} is taken by another program.`, { hint, cause: error });
  if (code === 'EACCES')
    return new MacroError('usage', `This user may not listen on port ${port}.`, { hint, cause: error });
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND')
    return new MacroError('usage', `${host} is not an address of this machine.`, {
      hint: 'Listen on 127.0.0.1.',
      cause: error,
    });
  return error;
}
