import type { Fetch } from './platform.ts';

/** Time for a connection to come up, in milliseconds. */
const CONNECT_TIMEOUT = 10_000;

/**
 * `fetch` of the undici package with an Agent of its own: Node's global `fetch` and the package's dispatchers have
 * different handler interfaces and fail at run time when mixed. Loaded on the first request, because loading costs more
 * than a whole offline answer.
 */
export function createNodeFetch(): Fetch {
  let loading: Promise<Fetch> | undefined;
  return async (url, init) => {
    loading ??= loadFetch();
    const fetch = await loading;
    return fetch(url, init);
  };
}

async function loadFetch(): Promise<Fetch> {
  const { Agent, fetch } = await import('./undici.ts');
  // Idle sockets do not keep the process alive. Streams are quiet for long: only `deadline` bounds a body.
  const dispatcher = new Agent({ connect: { timeout: CONNECT_TIMEOUT }, headersTimeout: 0, bodyTimeout: 0 });
  return async (url, { deadline, ...init }) => {
    const signal = withDeadline(init.signal ?? undefined, deadline);
    // The package's own request and response types and those of the platform's declarations are two spellings of one
    // shape.
    const request = { ...init, ...(signal && { signal }), dispatcher } as Parameters<typeof fetch>[1];
    return (await fetch(url, request)) as unknown as Response;
  };
}

function withDeadline(signal: AbortSignal | undefined, deadline: number | undefined): AbortSignal | undefined {
  if (deadline === undefined) return signal;
  const timeout = AbortSignal.timeout(deadline);
  return signal ? AbortSignal.any([signal, timeout]) : timeout;
}
