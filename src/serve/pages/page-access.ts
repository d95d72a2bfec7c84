// Who reads a page, and what that reader may see.
import type { Caller } from '../../contract/hooks.ts';
import { MacroError } from '../../errors.ts';
import { isLoopbackHost } from '../../platform/listening.ts';
import { identify } from '../access/authorize.ts';
import type { ServeOptions } from '../options.ts';
import type { ServedRequest } from '../request.ts';

export interface PageVisitor {
  readonly caller: Caller;
  /** Digest of the key; undefined for whoever owns the mirror, and for readers without a key. */
  readonly name: string | undefined;
  /** May read quota, runs, webhooks, the past and provenance. */
  readonly isPrivy: boolean;
}

/**
 * Judges the reader of a page. A person at this machine is the owner where no list of keys says otherwise: any key would be
 * taken there. A request that came under another name came through a proxy, so its reader shows a key.
 */
export function readerOf(served: ServedRequest, options: ServeOptions): PageVisitor {
  if (isTrusted(served, options)) return { caller: { kind: 'owner' }, name: undefined, isPrivy: true };
  const { caller, name } = identify(served);
  const isKeyed = caller.kind === 'keyed';
  return { caller, name: isKeyed ? name : undefined, isPrivy: isKeyed };
}

export function isTrusted({ request }: ServedRequest, { keys, open, boundTo = '127.0.0.1' }: ServeOptions): boolean {
  if (!isLoopbackHost(boundTo)) return false;
  const host = (request.headers.host ?? 'localhost').replace(/:\d{1,5}$/, '').toLowerCase();
  return isLoopbackHost(host) && (open === true || keys === undefined);
}

/**
 * Refuses a reader without a key what only holders of keys may see.
 * @throws MacroError of kind `auth`.
 */
export function requirePrivy({ isPrivy }: PageVisitor): void {
  if (isPrivy) return;
  throw new MacroError('auth', 'This part of the pages needs a key of this server.', {
    status: 401,
    code: 'api_key_required',
  });
}
