import { isIP } from 'node:net';
import { isLoopbackHost } from '../../platform/listening.ts';
import type { Resolve } from '../../platform/platform.ts';
import { isPublicAddress } from './public-address.ts';

/**
 * Why a destination may not be delivered to; see docs/interface.md#webhook-destinations, in the order in which they are
 * told.
 */
type DestinationReason =
  | 'invalid_url'
  | 'not_https'
  | 'embedded_credentials'
  | 'fragment_not_allowed'
  | 'ip_literal'
  | 'blocked_host'
  | 'port_not_allowed'
  | 'unresolved_host'
  | 'private_address';

/** A destination that may be delivered to: by these addresses, and no other ones. */
export interface CheckedDestination {
  readonly url: URL;
  readonly addresses: readonly string[];
}

export interface RefusedDestination {
  readonly reason: DestinationReason;
  /** A sentence. */
  readonly detail: string;
}

export interface GuardParts {
  readonly resolve: Resolve;
  /** This very machine may be delivered to, over http as well: for developers. */
  readonly allowLocal: boolean;
}

/**
 * Judges a destination, when a subscription names it and again before each attempt: a name may lead elsewhere by then. The
 * caller connects to one of the addresses given here, so that no second look-up decides.
 */
export async function checkDestination(
  text: string,
  { resolve, allowLocal }: GuardParts,
): Promise<CheckedDestination | RefusedDestination> {
  const url = parseDestination(text);
  if (!url) return refuse('invalid_url');
  const host = hostOf(url);
  const isLocal = allowLocal && isLocalHost(host);
  const reason = isLocal ? findShape(text, url) : findFault(text, url, host);
  if (reason) return refuse(reason);
  // Such a name means this machine whatever a resolver says of it (RFC 6761).
  if (isLocal) return { url, addresses: isIP(host) === 0 ? ['127.0.0.1', '::1'] : [host] };
  const addresses = await resolve(host);
  if (addresses.length === 0) return refuse('unresolved_host');
  return addresses.every(isPublicAddress) ? { url, addresses } : refuse('private_address');
}

const DETAILS: Readonly<Record<DestinationReason, string>> = {
  invalid_url: 'Destination is no absolute address.',
  not_https: 'Destination is not https.',
  embedded_credentials: 'Destination carries a user name or password.',
  fragment_not_allowed: 'Destination carries a fragment.',
  ip_literal: 'Destination is an IP address instead of a host name.',
  blocked_host: 'Destination is not a name of the public internet.',
  port_not_allowed: 'Destination has a port other than 443 or 1024 and above.',
  unresolved_host: 'Destination does not resolve.',
  private_address: 'Destination resolves to a private address.',
};

function refuse(reason: DestinationReason): RefusedDestination {
  return { reason, detail: DETAILS[reason] };
}

/** Parsers of addresses forgive blanks, backslashes and missing slashes: what two of them could read differently is none. */
function parseDestination(text: string): URL | undefined {
  if (!/^[a-z][a-z0-9+.-]*:\/\/[^/?#]/i.test(text) || /[\s\\\p{Cc}]/u.test(text)) return undefined;
  return URL.canParse(text) ? new URL(text) : undefined;
}

/** The host without the brackets of IPv6 and without the dot that ends a whole name. */
function hostOf({ hostname }: URL): string {
  return hostname.replace(/^\[|\]$/g, '').replace(/\.+$/, '');
}

function findFault(text: string, url: URL, host: string): DestinationReason | undefined {
  if (url.protocol !== 'https:') return 'not_https';
  const shape = findShape(text, url);
  if (shape) return shape;
  if (isIP(host) !== 0) return 'ip_literal';
  if (!isPublicName(host)) return 'blocked_host';
  return isGoodPort(url.port) ? undefined : 'port_not_allowed';
}

/** Faults that no option excuses. An empty user name or fragment does not show in the parsed address. */
function findShape(text: string, url: URL): DestinationReason | undefined {
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return 'not_https';
  const [, authority = ''] = /^[^:]+:\/\/([^/?#]*)/.exec(text) ?? [];
  if (authority.includes('@')) return 'embedded_credentials';
  return text.includes('#') ? 'fragment_not_allowed' : undefined;
}

const CLOSED_ENDINGS = ['localhost', 'local', 'internal', 'home.arpa', 'onion'];

function isPublicName(host: string): boolean {
  return host.includes('.') && !CLOSED_ENDINGS.some((end) => host === end || host.endsWith(`.${end}`));
}

function isLocalHost(host: string): boolean {
  return isLoopbackHost(host) || host.endsWith('.localhost');
}

/** The parser leaves out the port that the protocol has anyway. */
function isGoodPort(port: string): boolean {
  return port === '' || port === '443' || Number(port) >= 1024;
}
