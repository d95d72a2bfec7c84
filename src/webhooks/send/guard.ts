import { BlockList, isIP } from 'node:net';
import { isLoopbackHost } from '../../platform/listening.ts';
import type { Resolve } from '../../platform/platform.ts';

/** Why a destination is refused, in the order of the checks; see docs/interface-events.md#webhook-destinations. */
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
interface CheckedDestination {
  readonly url: URL;
  readonly addresses: readonly string[];
}

interface RefusedDestination {
  readonly reason: DestinationReason;
  /** A sentence. */
  readonly detail: string;
}

export interface GuardParts {
  readonly resolve: Resolve;
  /** This very machine may be delivered to, over http as well: for developers. */
  readonly allowLocal: boolean;
}

/** Blocks of IPv4 that are not public: IANA's registry of special-purpose addresses, multicast and reserved blocks. */
const CLOSED_V4 = blocksOf('ipv4', [
  '0.0.0.0/8', // this network
  '10.0.0.0/8', // private
  '100.64.0.0/10', // shared by the customers of a carrier
  '127.0.0.0/8', // loopback
  '169.254.0.0/16', // link-local, where clouds tell their machines secrets
  '172.16.0.0/12', // private
  '192.0.0.0/24', // protocol assignments
  '192.0.2.0/24', // documentation
  '192.88.99.0/24', // relays of 6to4, withdrawn
  '192.168.0.0/16', // private
  '198.18.0.0/15', // benchmarking
  '198.51.100.0/24', // documentation
  '203.0.113.0/24', // documentation
  '224.0.0.0/4', // multicast
  '240.0.0.0/4', // reserved, and broadcast
]);

/** The only block of IPv6 that is handed out for public use, and what in it is not public. */
const OPEN_V6 = blocksOf('ipv6', ['2000::/3']);
const CLOSED_V6 = blocksOf('ipv6', [
  '2001::/23', // protocol assignments, Teredo among them
  '2001:db8::/32', // documentation
  '3fff::/20', // documentation
]);

/** Judges a destination, also before each attempt. The caller connects to the addresses given here. */
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

/**
 * True for a global unicast address, as is the IPv4 inside of IPv6: mapped, NAT64 (RFC 6052), 6to4 and Teredo. See
 * docs/interface-events.md#webhook-destinations.
 */
export function isPublicAddress(address: string): boolean {
  const version = isIP(address);
  if (version === 4) return !CLOSED_V4.check(address, 'ipv4');
  if (version !== 6 || address.includes('%')) return false;
  const wrapped = wrappedIn(groupsOf(address));
  if (wrapped.length > 0) return wrapped.every(isPublicAddress);
  return OPEN_V6.check(address, 'ipv6') && !CLOSED_V6.check(address, 'ipv6');
}

/** The IPv4 addresses that an IPv6 address leads to; of Teredo its server and, with all bits turned over, its client. */
function wrappedIn(groups: readonly number[]): readonly string[] {
  const [a = 0, b = 0, c = 0, d = 0, , , g = 0, h = 0] = groups;
  const isZero = (from: number, to: number) => groups.slice(from, to).every((group) => group === 0);
  if (isZero(0, 5) && groups[5] === 0xffff) return [dotted(g, h)];
  if (a === 0x64 && b === 0xff9b && isZero(2, 6)) return [dotted(g, h)];
  if (a === 0x2002) return [dotted(b, c)];
  if (a === 0x2001 && b === 0) return [dotted(c, d), dotted(g ^ 0xffff, h ^ 0xffff)];
  return [];
}

function dotted(high: number, low: number): string {
  return [high >> 8, high & 0xff, low >> 8, low & 0xff].join('.');
}

/** The eight groups of an IPv6 address in any of its spellings. */
function groupsOf(address: string): readonly number[] {
  // The parser of addresses spells the tail of a mapped address in hexadecimal groups too.
  const plain = new URL(`http://[${address}]/`).hostname.slice(1, -1);
  const [head = '', tail] = plain.split('::');
  const numbers = (text = '') => (text === '' ? [] : text.split(':').map((group) => Number.parseInt(group, 16)));
  if (tail === undefined) return numbers(head);
  const [before, after] = [numbers(head), numbers(tail)];
  return [...before, ...Array<number>(8 - before.length - after.length).fill(0), ...after];
}

function blocksOf(family: 'ipv4' | 'ipv6', blocks: readonly string[]): BlockList {
  const list = new BlockList();
  for (const block of blocks) {
    const [network = '', bits] = block.split('/');
    list.addSubnet(network, Number(bits), family);
  }
  return list;
}
