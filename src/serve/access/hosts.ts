import { isIP } from 'node:net';
import { MacroError } from '../../errors.ts';
import { isLoopbackHost } from '../../platform/listening.ts';
import type { ServeOptions } from '../options.ts';

/** True when a `Host` header names this server. */
export type HostRule = (header: string) => boolean;

/**
 * Makes the rule that keeps pages of other sites out. A browser sends the name that its page came from, and the owner of
 * that name can have it point here. Our names are those of loopback, the bound address and the allowed names. A server that
 * others reach also answers to each of its addresses,
 * because an address cannot point elsewhere. See docs/interface.md#hosts.
 *
 * A port behind a name does not count.
 */
export function createHostRule({ boundTo = '', allowedHosts = [] }: ServeOptions): HostRule {
  const ours = new Set([boundTo, ...allowedHosts].map(plainHost));
  const isWide = !isLoopbackHost(boundTo);
  return (header) => {
    const host = plainHost(header.replace(/:\d{1,5}$/, ''));
    return isLoopbackHost(host) || ours.has(host) || (isWide && isIP(host) !== 0);
  };
}

/** The refusal of a request under another name. */
export function foreignHost(): MacroError {
  return new MacroError(
    'auth',
    'This server answers only to names of its own machine. Start it with --allowed-host NAME to allow another name.',
    { status: 403, code: 'forbidden_host' },
  );
}

/** Without brackets and without the dot that ends a whole name; case does not matter. */
function plainHost(host: string): string {
  return host
    .toLowerCase()
    .replace(/^\[(.*)\]$/, '$1')
    .replace(/\.$/, '');
}
