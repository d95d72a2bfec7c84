import type { Resolve } from './platform.ts';

/** Milliseconds that a name server has, and how often it is asked. */
const TIMEOUT = 2_000;
const TRIES = 2;

/**
 * Asks the name servers themselves: the system's own look-up waits in a thread of a small pool, where a few names without an
 * answer keep all others waiting.
 */
export const nodeResolve: Resolve = async (host) => {
  const { Resolver } = await import('node:dns/promises');
  const resolver = new Resolver({ timeout: TIMEOUT, tries: TRIES });
  const told = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)]);
  return told.flatMap((one) => (one.status === 'fulfilled' ? one.value : []));
};
