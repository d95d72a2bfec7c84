import type { Server } from 'node:http';
import { createServer } from 'node:net';
import { MacroError } from '../errors.ts';
import type { Clock } from './platform.ts';

const GRACE_MS = 5_000;

/** True for an address that only programs of this machine reach, as it is typed or as the parser of URLs spells it. */
export function isLoopbackHost(host: string): boolean {
  return /^(localhost|127(\.\d{1,3}){3}|::1|\[::1\])$/.test(host);
}

/** Ends a server: no new requests, some seconds for running ones, then the rest is cut. */
export async function closeGently(
  server: { close(): Promise<void>; cut(): void },
  clock: Pick<Clock, 'sleep'>,
): Promise<void> {
  const done = new AbortController();
  const late = clock.sleep(GRACE_MS, done.signal).then(
    () => server.cut(),
    () => undefined,
  );
  await server.close();
  done.abort();
  await late;
}

/** `localhost` means both loopback addresses: gives a server that listens on one of them what comes to the other, where there is one. */
export function listenBeside(server: Server): Promise<{ close(): void } | undefined> {
  const address = server.address();
  if (typeof address !== 'object' || !address) return Promise.resolve(undefined);
  const beside = createServer({ allowHalfOpen: true, noDelay: true }, (socket) => server.emit('connection', socket));
  return new Promise((resolve) => {
    beside.once('error', () => resolve(undefined));
    beside.listen(address.port, address.family === 'IPv6' ? '127.0.0.1' : '::1', () => resolve(beside));
  });
}

/** Why a server could not listen, in words and with a way out. */
export function listenError(error: unknown, port: number, host: string): unknown {
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
