import type { Resolve } from './platform.ts';

export interface ResolveOptions {
  /** Name servers to ask, with their ports; those of this machine when left out. */
  readonly servers?: readonly string[];
  /** Milliseconds that a name server has for an answer. */
  readonly timeout?: number;
  /** Milliseconds after which what is not known is taken for unknown. */
  readonly patience?: number;
}

/**
 * Asks the name servers themselves: the system's own look-up waits in a thread of a small pool, where a few names without an
 * answer keep all others waiting.
 */
export function createNodeResolve({ servers, timeout = 2_000, patience = 5_000 }: ResolveOptions = {}): Resolve {
  return async (host) => {
    const { Resolver } = await import('node:dns/promises');
    const resolver = new Resolver({ timeout, tries: 2 });
    if (servers) resolver.setServers(servers);
    const late = setTimeout(() => resolver.cancel(), patience);
    const answers = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)]);
    clearTimeout(late);
    return answers.flatMap((one) => (one.status === 'fulfilled' ? one.value : []));
  };
}
