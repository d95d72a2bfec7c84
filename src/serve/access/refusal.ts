import { keyRequired, needsKey } from '../../contract/access.ts';
import { type Endpoint, GROUP_FACTS } from '../../contract/endpoint.ts';
import type { Caller, ServiceLabels } from '../../contract/hooks.ts';
import { isJsonObject, type JsonObject, readJson } from '../../contract/json/json.ts';
import type { Args } from '../../contract/params/params.ts';
import { MacroError } from '../../errors.ts';
import type { ServedRequest } from '../request.ts';
import type { ServedRoute } from '../routes.ts';

/** Refuses questions that a caller may not ask. @throws MacroError of kind `auth`. */
export async function refuseOutsiders(served: ServedRequest, route: ServedRoute, args: Args): Promise<void> {
  const { endpoint } = route;
  const { labels } = served.serve;
  try {
    checkAccess(endpoint, args, served.context?.caller ?? { kind: 'keyless' }, labels);
  } catch (error) {
    const isMissingKey = error instanceof MacroError && error.code === 'api_key_required';
    if (!isMissingKey || !endpoint.refusal) throw error;
    const body = await publicAnswer(served, route, endpoint.refusal.asks(args));
    const members = endpoint.refusal.tell(body, { args, labels });
    // Such a body has no `error` beside its `code`; undefined members are left out.
    throw new MacroError('auth', error.message, {
      status: 401,
      code: 'api_key_required',
      extra: { error: undefined, ...error.extra, ...members },
    });
  }
}

/** The answer to a question that needs no key; undefined when nobody here can give it. */
async function publicAnswer(
  { now }: ServedRequest,
  { ask }: ServedRoute,
  question: { readonly endpoint: Endpoint; readonly args: Args },
): Promise<JsonObject | undefined> {
  try {
    const { body } = await ask(question, { caller: { kind: 'keyless' }, now });
    const parsed: unknown = readJson(body);
    return isJsonObject(parsed) ? parsed : undefined;
  } catch (error) {
    if (error instanceof MacroError) return undefined;
    throw error;
  }
}

/** Refuses what this caller may not ask at all; the source narrows the rest. @throws MacroError of kind `auth`. */
function checkAccess(endpoint: Endpoint, args: Args, caller: Caller, labels: ServiceLabels): void {
  if (caller.kind === 'owner') return;
  if (caller.kind === 'keyless') {
    if (!needsKey(endpoint.access, args)) return;
    const mixed = endpoint.access.class === 'usd' && typeof args.currency === 'string';
    throw keyRequired(mixed ? String(args.currency) : undefined, labels.subscribeUrl);
  }
  if (caller.plan === 'basic' && endpoint.access.class !== 'public' && GROUP_FACTS[endpoint.group].isBeyondBasic)
    throw new MacroError('auth', 'Your plan does not include this route.', {
      status: 403,
      code: 'subscription_required',
      extra: { subscribe_url: labels.subscribeUrl },
    });
}
