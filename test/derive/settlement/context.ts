import type { Caller, HookContext } from '../../../src/contract/hooks.ts';
import type { Signing } from '../../../src/contract/signing.ts';

export const SERVICE = 'https://svc.example';
const LABELS = {
  service: 's',
  storage: 's',
  publicBaseUrl: '',
  subscribeUrl: 'https://svc.example/subscribe',
  docsUrl: '',
};
export const OWNER: Caller = { kind: 'owner' };
export const KEYLESS: Caller = { kind: 'keyless' };

/** Unix seconds of an ISO instant. */
export const seconds = (iso: string): number => Date.parse(iso) / 1000;

/** Unix seconds. */
export const NOW = seconds('2026-11-21T05:46:13Z');

/** What a hook is asked with. A body for callers without a key says what was kept back. */
export function context<A>(args: A, caller: Caller = OWNER, now = NOW, signing?: Signing): HookContext<A> {
  const keyless = (kept: unknown) => ({ kept });
  return {
    args,
    now,
    caller,
    labels: LABELS,
    ...(signing && { signing }),
    ...(caller.kind === 'keyless' && { keyless }),
  };
}
