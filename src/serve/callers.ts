import { timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import type { Caller } from '../contract/hooks.ts';
import { MacroError } from '../errors.ts';
import { digestKey, isWellFormedKey, type KeyEntry, type Plan } from './keys.ts';

/** Who sent a request: what they may see, and under which name their requests are counted. */
export interface Visitor {
  readonly caller: Caller;
  /** Address of a keyless caller, digest of a key. */
  readonly name: string;
  /** Name of the class of callers that get the same answers. */
  readonly class: string;
}

export type Identify = (key: string | undefined, address: string) => Visitor;

/**
 * The key of a request: `X-API-Key`, then `Authorization: Bearer`, then `api_key` in the query. The first one present is
 * judged and the rest ignored; an empty one is not present. Wire facts, sections 4 and 16.
 */
export function keyOf(headers: IncomingHttpHeaders, queryKey: string | undefined): string | undefined {
  const own = headers['x-api-key'];
  const text = typeof own === 'string' ? own.trim() : '';
  if (text !== '') return text;
  const bearer = /^bearer[ \t]+(.*)$/i.exec(headers.authorization ?? '')?.[1]?.trim();
  if (bearer) return bearer;
  return queryKey?.trim() || undefined;
}

/** Makes the judge of keys. A bad key is refused even where none is needed: nobody is downgraded silently. */
export function createCallers(options: { keys?: readonly KeyEntry[]; open?: boolean }): Identify {
  const { keys, open = false } = options;
  const owner: Visitor = { caller: { kind: 'owner' }, name: 'owner', class: 'owner' };
  if (open) return () => owner;
  return (key, address) => {
    if (key === undefined) return { caller: { kind: 'keyless' }, name: plainAddress(address), class: 'keyless' };
    if (!isWellFormedKey(key)) throw invalidKey();
    const digest = digestKey(key);
    const plan = keys ? planOf(keys, digest) : 'individual';
    if (plan === undefined) throw invalidKey();
    return { caller: { kind: 'keyed', plan }, name: digest.toString('base64'), class: plan };
  };
}

/** Looks at every key, whether or not one has matched: the time taken tells nothing. */
function planOf(keys: readonly KeyEntry[], digest: Buffer): Plan | undefined {
  let plan: Plan | undefined;
  for (const entry of keys) if (timingSafeEqual(entry.digest, digest)) plan = entry.plan;
  return plan;
}

/** An IPv4 caller of a socket that listens on IPv6 is the same caller. */
function plainAddress(address: string): string {
  return address.startsWith('::ffff:') ? address.slice(7) : address;
}

function invalidKey(): MacroError {
  return new MacroError('auth', 'Unknown or revoked API key.', { status: 401, code: 'invalid_api_key' });
}
