import { describe, expect, it } from 'vitest';
import { isPublicAddress } from '../../src/webhooks/send/guard.ts';

// IANA's registries of special-purpose addresses, and the first and last address of each block that is private.
const CLOSED = [
  ['unspecified', '0.0.0.0'],
  ['this network', '0.255.255.255'],
  ['private', '10.0.0.1'],
  ['private', '10.255.255.255'],
  ['carrier', '100.64.0.0'],
  ['carrier', '100.127.255.255'],
  ['loopback', '127.0.0.1'],
  ['loopback', '127.255.255.254'],
  ['metadata', '169.254.169.254'],
  ['private', '172.16.0.0'],
  ['private', '172.31.255.255'],
  ['protocol assignments', '192.0.0.170'],
  ['documentation', '192.0.2.1'],
  ['6to4 relay', '192.88.99.1'],
  ['private', '192.168.0.1'],
  ['benchmarking', '198.18.0.1'],
  ['benchmarking', '198.19.255.255'],
  ['documentation', '198.51.100.7'],
  ['documentation', '203.0.113.7'],
  ['multicast', '224.0.0.1'],
  ['multicast', '239.255.255.255'],
  ['reserved', '240.0.0.1'],
  ['broadcast', '255.255.255.255'],
  ['unspecified', '::'],
  ['loopback', '::1'],
  ['loopback, spelled out', '0:0:0:0:0:0:0:1'],
  ['IPv4-compatible', '::8.8.8.8'],
  ['IPv4-mapped loopback', '::ffff:127.0.0.1'],
  ['IPv4-mapped in groups', '::ffff:a00:1'],
  ['NAT64 of a private address', '64:ff9b::10.0.0.1'],
  ['NAT64 of the metadata address', '64:ff9b::a9fe:a9fe'],
  ['NAT64 of a network of its own', '64:ff9b:1::808:808'],
  ['6to4 of a private address', '2002:c0a8:1::1'],
  ['6to4 of loopback', '2002:7f00:1::'],
  ['Teredo with a private server', '2001:0:a00:1:0:0:f7f7:f7f7'],
  ['Teredo with a private client', '2001:0:808:808:0:0:f5ff:fffe'],
  ['discard only', '100::1'],
  ['benchmarking', '2001:2::1'],
  ['ORCHID', '2001:20::1'],
  ['documentation', '2001:db8::1'],
  ['documentation', '3fff::1'],
  ['unique local', 'fc00::1'],
  ['unique local, metadata', 'fd00:ec2::254'],
  ['link-local', 'fe80::1'],
  ['link-local with a zone', 'fe80::1%eth0'],
  ['site-local', 'fec0::1'],
  ['multicast', 'ff02::1'],
  ['not handed out', '4000::1'],
  ['no address', 'example.com'],
  ['no address', ''],
] as const;

const OPEN = [
  '1.1.1.1',
  '8.8.8.8',
  '9.255.255.255',
  '11.0.0.0',
  '100.63.255.255',
  '100.128.0.0',
  '172.15.255.255',
  '172.32.0.0',
  '192.0.1.1',
  '198.17.255.255',
  '223.255.255.255',
  '2606:4700:4700::1111',
  '2a00:1450:4001:82a::200e',
  '::ffff:8.8.8.8',
  '64:ff9b::8.8.8.8',
  '2002:808:808::1',
];

describe('an address', () => {
  it.each(CLOSED)('of the kind %s, %s, is not public', (_, address) => {
    expect(isPublicAddress(address)).toBe(false);
  });

  it.each(OPEN)('like %s is public', (address) => {
    expect(isPublicAddress(address)).toBe(true);
  });
});
