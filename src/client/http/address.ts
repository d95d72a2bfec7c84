import { MacroError } from '../../errors.ts';
import { isLoopbackHost } from '../../platform/listening.ts';
import type { Platform } from '../../platform/platform.ts';

/** Where a service is. */
export interface Address {
  /** Its identity: scheme, host and port. */
  readonly origin: string;
  /** Everything before the `/v1` of a path: empty, or `/api`. */
  readonly prefix: string;
}

const EXAMPLE = 'Give an address like https://api.example.com or https://example.com/api/v1.';

/** Ports that no HTTP client asks: https://fetch.spec.whatwg.org/#port-blocking */
const UNREACHABLE_PORTS: ReadonlySet<string> = new Set(
  (
    '0 1 7 9 11 13 15 17 19 20 21 22 23 25 37 42 43 53 69 77 79 87 95 101 102 103 104 109 110 111 113 115 117 119 123 ' +
    '135 137 139 143 161 179 389 427 465 512 513 514 515 526 530 531 532 540 548 554 556 563 587 601 636 989 990 993 ' +
    '995 1719 1720 1723 2049 3659 4045 4190 5060 5061 6000 6566 6665 6666 6667 6668 6669 6679 6697 10080'
  ).split(' '),
);

/**
 * Reads a base address, with or without `/api` and `/v1`. Plain http is for this machine only: others would read the
 * key.
 * @throws MacroError of kind `auth` or `usage`.
 */
export function readServiceAddress(baseUrl: string, hasKey: boolean): Address {
  const url = parseUrl(baseUrl);
  if (url.protocol !== 'https:' && url.protocol !== 'http:')
    throw new MacroError('usage', `The service address must begin with https://, not ${url.protocol}//.`, {
      hint: EXAMPLE,
    });
  // The text here could be a secret: the message names none of it.
  if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '')
    throw new MacroError('usage', 'The service address carries a user name, a query or a fragment.', {
      hint: `${EXAMPLE} A key belongs into MACRO_API_KEY or: macro auth login`,
    });
  if (UNREACHABLE_PORTS.has(url.port))
    throw new MacroError('usage', `Port ${url.port} is reserved for other protocols, so it is never asked.`, {
      hint: 'Give the port of the service; macro serve listens on 8787.',
    });
  if (url.protocol === 'http:' && !isLoopbackHost(url.hostname)) throw plainHttp(url.host, hasKey);
  return { origin: url.origin, prefix: url.pathname.replace(/\/+$/, '').replace(/\/v1$/, '') };
}

/** The address to ask for a path of the contract (`/v1/...`). */
export function urlOf(address: Address, target: string): string {
  return `${address.origin}${address.prefix}${target}`;
}

function parseUrl(baseUrl: string): URL {
  try {
    return new URL(baseUrl.trim());
  } catch (cause) {
    throw new MacroError('usage', 'The service address is not a URL.', { hint: EXAMPLE, cause });
  }
}

function plainHttp(host: string, hasKey: boolean): MacroError {
  const hint = `Use https://${host}; plain http is allowed to this machine only (127.0.0.1, localhost, [::1]).`;
  if (hasKey)
    return new MacroError('auth', `The API key would travel unencrypted to ${host}.`, {
      code: 'plain_http_refused',
      hint,
    });
  return new MacroError('usage', `The address of ${host} is plain http.`, { code: 'plain_http_refused', hint });
}

/** Refuses TLS without certificate checks: others would read the key. @throws MacroError of kind `auth`. */
export function onlyVerified({ fetch, env }: Pick<Platform, 'fetch' | 'env'>): Platform['fetch'] {
  if (env.NODE_TLS_REJECT_UNAUTHORIZED !== '0') return fetch;
  return async (url, init) => {
    if (!url.startsWith('https:')) return fetch(url, init);
    throw new MacroError('auth', 'NODE_TLS_REJECT_UNAUTHORIZED=0 lets anybody on the way read the API key.', {
      code: 'tls_not_verified',
      hint: 'Unset it. For a certificate of your own give its authority: NODE_EXTRA_CA_CERTS=/path/to/ca.pem.',
    });
  };
}
