import type { MacroServer, MacroServerOptions } from '../api/server.ts';

/**
 * Starts a server that answers like the service, for tests of a client. It listens on 127.0.0.1, its clock stands still, and
 * everything that it writes is gone when it is closed.
 */
export async function createMacroServer(options?: MacroServerOptions): Promise<MacroServer> {
  // A program that only asks a service loads no server.
  const { startMacroServer } = await import('./start-macro-server.ts');
  return startMacroServer(options);
}
