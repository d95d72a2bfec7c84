import { MacroError } from '../../errors.ts';
import { LIMITS } from '../options.ts';
import type { ServedRequest } from '../request.ts';
import type { ServedRoute } from '../routes.ts';
import type { RequestContext } from './callers.ts';
import { charge, holdSlot, quotaError, refusalOf } from './limits.ts';

/** Refuses addresses that no honest question needs. */
export function refuseLongUrl({ url }: ServedRequest): void {
  if (url.length <= LIMITS.urlLength) return;
  throw new MacroError('usage', `The address is longer than ${LIMITS.urlLength} characters.`, {
    status: 414,
    code: 'uri_too_long',
  });
}

/** Who asks. */
export function identify(exchange: ServedRequest): RequestContext {
  const { serve, request, key } = exchange;
  const visitor = serve.identify(key, request);
  if (visitor.class === 'owner') exchange.edge = 'BYPASS';
  exchange.visitor = visitor;
  return visitor;
}

/** What decides how a request counts; a request without a route has no endpoint. */
interface Counted extends Pick<ServedRoute, 'counted'> {
  readonly endpoint?: ServedRoute['endpoint'];
}

/** Counts the request, or refuses it when a budget is spent. */
export function authorize(exchange: ServedRequest, visitor: RequestContext, route: Counted): void {
  const { limits } = exchange.serve;
  if (!limits) return;
  const account = limits.account(visitor.caller, visitor.name, exchange.windows);
  exchange.account = account;
  if (!route.counted) return;
  const { id, budget } = route.endpoint ?? {};
  const own = id !== undefined && budget !== undefined ? limits.own(account, { id, limit: budget }) : undefined;
  if (own) exchange.own = own;
  const refusal = refusalOf(account, exchange.windows, own);
  if (refusal) {
    exchange.refusal = refusal;
    throw quotaError(refusal, visitor.caller);
  }
  charge(account, own);
  // The answer is over with its last byte, or when its reader has gone.
  exchange.reply.raw.once('close', holdSlot(account));
}

/** Counts a request that no route took, as far as its key is good: only unknown paths are free. */
export function chargeUnrouted(exchange: ServedRequest): void {
  try {
    authorize(exchange, identify(exchange), { counted: true });
  } catch (error) {
    if (!(error instanceof MacroError)) throw error;
    delete exchange.refusal;
  }
}
