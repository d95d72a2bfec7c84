import { keyRequired, needsKey } from '../../contract/access.ts';
import type { Endpoint, Group } from '../../contract/endpoint.ts';
import type { Caller, ServiceLabels } from '../../contract/hooks.ts';
import type { Args } from '../../contract/params/params.ts';
import { MacroError } from '../../errors.ts';

/** Groups that the plan `basic` lacks; see docs/interface.md#keys. */
const BEYOND_BASIC: ReadonlySet<Group> = new Set(['release-event delivery', 'settlement', 'predictions']);

/**
 * Refuses what this caller may not ask. What a keyless caller may see in part is narrowed by the source.
 * @throws MacroError of kind `auth`.
 */
export function checkAccess(endpoint: Endpoint, args: Args, caller: Caller, labels: ServiceLabels): void {
  if (caller.kind === 'owner') return;
  if (caller.kind === 'keyless') {
    if (!needsKey(endpoint.access, args)) return;
    const mixed = endpoint.access.class === 'usd' && typeof args.currency === 'string';
    throw keyRequired(mixed ? String(args.currency) : undefined, labels.subscribeUrl);
  }
  if (caller.plan === 'basic' && endpoint.access.class !== 'public' && BEYOND_BASIC.has(endpoint.group))
    throw new MacroError('auth', 'Your plan does not include this route.', {
      status: 403,
      code: 'subscription_required',
      extra: { subscribe_url: labels.subscribeUrl },
    });
}
