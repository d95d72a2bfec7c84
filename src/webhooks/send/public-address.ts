import { BlockList, isIP } from 'node:net';

/** Blocks of IPv4 that are not public: IANA's registry of special-purpose addresses, multicast, and what is reserved. */
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

/**
 * True for a global unicast address. An IPv6 address that wraps one of IPv4 leads to that one, and is as public as it is:
 * IPv4-mapped, NAT64 (RFC 6052), 6to4 and Teredo. See docs/interface.md#webhook-destinations.
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
