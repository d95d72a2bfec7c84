import type { Fetch, Platform } from './platform.ts';
import { proxyFor, proxySettings } from './proxies.ts';

/** Time for a connection to come up, in milliseconds. */
const CONNECT_TIMEOUT = 10_000;

/**
 * `fetch` of the undici package with an Agent of its own: Node's global `fetch` and the package's dispatchers have
 * different handler interfaces and fail at run time when mixed. Loaded on the first request, because loading costs more
 * than a whole offline answer. The proxies of the environment are used.
 */
export function createNodeFetch(env: Platform['env'] = {}): Fetch {
  let loading: Promise<Fetch> | undefined;
  return async (url, init) => {
    loading ??= loadFetch(env);
    const fetch = await loading;
    return fetch(url, init);
  };
}

async function loadFetch(env: Platform['env']): Promise<Fetch> {
  const { Agent, EnvHttpProxyAgent, fetch } = await import('./undici.ts');
  // Idle sockets do not keep the process alive. Streams are quiet for long: only `deadline` bounds a body.
  const options = { connect: { timeout: CONNECT_TIMEOUT }, headersTimeout: 0, bodyTimeout: 0 };
  const straight = new Agent(options);
  let proxied: InstanceType<typeof EnvHttpProxyAgent> | undefined;
  const dispatcherFor = (url: string) => {
    // A proxy that cannot be spoken to is refused here, and an address that needs none never sees one.
    if (proxyFor(env, url) === undefined) return straight;
    proxied ??= new EnvHttpProxyAgent({ ...options, connectTimeout: CONNECT_TIMEOUT, ...proxySettings(env) });
    return proxied;
  };
  return async (url, { deadline, ...init }) => {
    const signal = withDeadline(init.signal ?? undefined, deadline);
    // The package's own request and response types and those of the platform's declarations are two spellings of one
    // shape.
    const request = { ...init, ...(signal && { signal }), dispatcher: dispatcherFor(url) } as Parameters<
      typeof fetch
    >[1];
    return (await fetch(url, request)) as unknown as Response;
  };
}

function withDeadline(signal: AbortSignal | undefined, deadline: number | undefined): AbortSignal | undefined {
  if (deadline === undefined) return signal;
  const timeout = AbortSignal.timeout(deadline);
  return signal ? AbortSignal.any([signal, timeout]) : timeout;
}
