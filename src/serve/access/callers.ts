import { timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import type { Caller } from '../../contract/hooks.ts';
import { MacroError } from '../../errors.ts';
import { digestKey, isWellFormedKey, type KeyEntry, type KeyList, type Plan } from './keys.ts';

/** Who sent a request: what they may see, and under which name their requests are counted. */
export interface RequestContext {
  readonly caller: Caller;
  /** Address of a keyless caller, digest of a key. */
  readonly name: string;
  /** Name of the class of callers that get the same answers. */
  readonly class: string;
}

/** Judges a key. The address is only looked at when there is none: finding it out costs a system call. */
export type Identify = (key: string | undefined, from: { readonly ip: string }) => RequestContext;

/** The first key of `X-API-Key`, `Authorization: Bearer` and `api_key`; empty is absent. See docs/interface-access.md#keys. */
export function keyOfRequest(headers: IncomingHttpHeaders, queryKey: string | undefined): string | undefined {
  const own = headers['x-api-key'];
  const text = typeof own === 'string' ? own.trim() : '';
  if (text !== '') return text;
  const bearer = /^bearer[ \t]+(.*)$/i.exec(headers.authorization ?? '')?.[1]?.trim();
  if (bearer) return bearer;
  return queryKey?.trim() || undefined;
}

const KEYLESS: Caller = { kind: 'keyless' };

/** Judges keys; a bad one is refused everywhere: nobody is downgraded silently. @throws MacroError of kind `auth`. */
export function createCallers(options: { keys?: KeyList; open?: boolean }): Identify {
  const { keys, open = false } = options;
  const owner: RequestContext = { caller: { kind: 'owner' }, name: 'owner', class: 'owner' };
  if (open) return () => owner;
  const planOf = keys ? planFinder(keys) : () => 'individual' as const;
  return (key, from) => {
    if (key === undefined) return { caller: KEYLESS, name: plainAddress(from.ip), class: 'keyless' };
    if (!isWellFormedKey(key)) throw invalidKey();
    const digest = digestKey(key);
    const plan = planOf(digest);
    if (plan === undefined) throw invalidKey();
    return { caller: { kind: 'keyed', plan }, name: digest, class: plan };
  };
}

/** Gives, once after each change of the keys, what tells whether a caller is still accepted as what they came. */
export function revocationsOf(keys: KeyList | undefined): () => ((context: RequestContext) => boolean) | undefined {
  let last = keys?.();
  const planOf = keys && planFinder(keys);
  return () => {
    const now = keys?.();
    if (now === last || !planOf) return undefined;
    last = now;
    return ({ caller, name, class: plan }) => caller.kind !== 'keyed' || planOf(name) === plan;
  };
}

/** Looks at every key, whether or not one has matched: the time taken tells nothing. */
function planFinder(keys: KeyList): (digest: string) => Plan | undefined {
  let last: readonly KeyEntry[] = [];
  let accepted: readonly { readonly bytes: Uint8Array; readonly plan: Plan }[] = [];
  return (digest) => {
    const now = keys();
    if (now !== last) accepted = now.map((entry) => ({ bytes: Buffer.from(entry.digest), plan: entry.plan }));
    last = now;
    const presented = Buffer.from(digest);
    let found: Plan | undefined;
    for (const { bytes, plan } of accepted) if (timingSafeEqual(bytes, presented)) found = plan;
    return found;
  };
}

/** An IPv4 caller of a socket that listens on IPv6 is the same caller. */
function plainAddress(address: string): string {
  return address.startsWith('::ffff:') ? address.slice(7) : address;
}

function invalidKey(): MacroError {
  return new MacroError('auth', 'Unknown or revoked API key.', { status: 401, code: 'invalid_api_key' });
}
