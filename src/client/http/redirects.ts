import { MacroError } from '../../errors.ts';

const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);
const MAX_REDIRECTS = 5;

/**
 * Sends a request and follows redirects inside its own origin. A redirect elsewhere is refused and not followed without
 * the key either: an answer from another place is not the answer that was asked for.
 * @throws MacroError of kind `upstream`.
 */
export async function followRedirects(url: string, send: (url: string) => Promise<Response>): Promise<Response> {
  let at = new URL(url);
  for (let hops = 0; ; hops += 1) {
    const response = await send(at.href);
    if (!REDIRECTS.has(response.status)) return response;
    await response.body?.cancel().catch(() => undefined);
    if (hops === MAX_REDIRECTS) throw refused(`${at.origin} redirected more than ${MAX_REDIRECTS} times.`);
    at = target(at, response.headers.get('location'));
  }
}

/**
 * Sends a request that changes something: whoever redirects may have done it already, so it is not sent again.
 * @throws MacroError of kind `upstream`.
 */
export async function refuseRedirect(url: string, send: (url: string) => Promise<Response>): Promise<Response> {
  const response = await send(url);
  if (!REDIRECTS.has(response.status)) return response;
  await response.body?.cancel().catch(() => undefined);
  throw refused(`${new URL(url).origin} redirected a request that changes something, which was not sent again.`);
}

function target(from: URL, location: string | null): URL {
  if (location === null) throw refused(`${from.origin} redirected to nowhere.`);
  if (!URL.canParse(location, from.href)) throw refused(`${from.origin} redirected to something that is no address.`);
  const to = new URL(location, from.href);
  if (to.origin !== from.origin)
    throw refused(`${from.origin} redirected to another place, ${to.origin}, which was not followed.`);
  if (to.username !== '' || to.password !== '')
    throw refused(`${from.origin} redirected to an address with a password.`);
  return to;
}

function refused(message: string): MacroError {
  return new MacroError('upstream', message, {
    code: 'redirect_refused',
    hint: 'Check the address of the service (--base-url, MACRO_BASE_URL); if it has moved, give the new one.',
  });
}
