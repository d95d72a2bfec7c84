import { MacroError } from '../../errors.ts';
import { LIMITS } from '../options.ts';
import type { ServedRequest } from '../request.ts';
import type { ServedRoute } from '../routes.ts';
import type { RequestContext } from './callers.ts';
import {
  type CallerAccount,
  charge,
  holdSlot,
  type OwnBudget,
  quotaError,
  type RequestLimits,
  refusalOf,
} from './limits.ts';

/** Refuses addresses that no honest question needs. @throws MacroError of kind `usage`. */
export function refuseLongUrl({ url }: ServedRequest): void {
  if (url.length <= LIMITS.urlLength) return;
  throw new MacroError('usage', `The address is longer than ${LIMITS.urlLength} characters.`, {
    status: 414,
    code: 'uri_too_long',
  });
}

/** Who asks. */
export function identify(served: ServedRequest): RequestContext {
  const { serve, request, key } = served;
  const context = serve.identify(key, request);
  if (context.class === 'owner') served.edge = 'BYPASS';
  served.context = context;
  return context;
}

/** Decides how a request counts; a request without a route has no endpoint. */
interface Counted extends Pick<ServedRoute, 'counted'> {
  readonly endpoint?: ServedRoute['endpoint'];
}

/** Counts a request until its answer ends or its reader goes. @throws MacroError of kind `quota`. */
export function authorize(served: ServedRequest, context: RequestContext, route: Counted): void {
  const { limits } = served.serve;
  if (!limits) return;
  const account = limits.account(context.caller, context.name, served.windows);
  served.account = account;
  if (!route.counted) return;
  const own = ownBudgetOf(limits, account, route);
  if (own) served.own = own;
  const refusal = refusalOf(account, served.windows, own);
  if (refusal) {
    served.refusal = refusal;
    throw quotaError(refusal, context.caller);
  }
  charge(account, own);
  served.reply.raw.once('close', holdSlot(account));
}

function ownBudgetOf(limits: RequestLimits, account: CallerAccount, { endpoint }: Counted): OwnBudget | undefined {
  const { id, budget } = endpoint ?? {};
  return id !== undefined && budget !== undefined ? limits.own(account, { id, limit: budget }) : undefined;
}

/** Counts a request that no route took, as far as its key is good: only unknown paths are free. */
export function chargeUnrouted(served: ServedRequest): void {
  try {
    authorize(served, identify(served), { counted: true });
  } catch (error) {
    if (!(error instanceof MacroError)) throw error;
    delete served.refusal;
  }
}
