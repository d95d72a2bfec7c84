import type { Peer } from '../../platform/shortcut/shortcut.ts';
import { ownBudgetOf } from '../access/authorize.ts';
import type { RequestContext } from '../access/callers.ts';
import { limitLines } from '../access/limit-headers.ts';
import { type CallerAccount, charge, holdSlot, type OwnBudget, refusalOf } from '../access/limits.ts';
import type { ServedRequest } from '../request.ts';
import type { ServeState } from '../state.ts';
import { type Form, type Formed, type FormHeaders, formOf, isCached } from './deliver.ts';
import type { HeaderList } from './header-list.ts';
import { isRight } from './is-right.ts';
import { type FormName, nameOfAnswer } from './response-cache.ts';
import { headTextOf } from './send.ts';

/** A question of somebody whom the service knows, and the headers that matter to an answer from memory. */
export interface RepeatedQuestion {
  readonly url: string;
  readonly headers: FormHeaders;
  readonly context: RequestContext;
}

/**
 * Keeps what the heads of an answer have in common. The clock is part of those that callers without a key get, and what stands
 * before the service is part of what it says.
 */
export function rememberHead(served: ServedRequest, { answer, form }: Formed, headers: HeaderList): void {
  if (served.context?.class === 'keyless' || answer.cached !== undefined) return;
  const name = nameOf(form);
  if (answer.heads?.has(name)) return;
  answer.heads ??= new Map();
  answer.heads.set(name, headTextOf(headers, served));
}

/**
 * Sends an answer that went in this form before and is still right, without making its head anew. False leaves the question to
 * those who do: then nothing was counted.
 */
export function answerAgain(
  serve: ServeState,
  { url, headers, context }: RepeatedQuestion,
  peer: Pick<Peer, 'send' | 'onceTaken'>,
): boolean {
  const answer = serve.cache.get(nameOfAnswer(context, url));
  if (!answer?.heads) return false;
  const form = formOf(headers, answer);
  const head = form.gzip === 'wanted' ? undefined : answer.heads.get(nameOf(form));
  // Without the bytes only a caller who has them already can be answered.
  if (!head || (answer.body === undefined && !isCached(headers, answer.etag))) return false;
  const windows = serve.windows(serve.now());
  if (!isRight(answer, { serve, windows }, context)) return false;
  const { limits } = serve;
  let account: CallerAccount | undefined;
  let own: OwnBudget | undefined;
  const { counted } = answer.route;
  if (limits) {
    account = limits.account(context.caller, context.name, windows);
    if (counted) {
      own = ownBudgetOf(limits, account, answer.route);
      if (refusalOf(account, windows, own)) return false;
      charge(account, own);
    }
  }
  const budgets = account ? limitLines(account, { windows, own }) : '';
  const lines = `X-Request-ID: ${serve.nameRequest()}\r\n${head.before}${budgets}${head.after}`;
  if (!peer.send(form.status, lines, form.body) && account && counted) peer.onceTaken(holdSlot(account));
  return true;
}

function nameOf({ status, gzip }: Form): FormName {
  if (status === 304) return 'unchanged';
  return gzip === undefined ? 'plain' : 'gzip';
}
