import { MacroError } from '../../errors.ts';
import type { Fetch } from '../../platform/platform.ts';
import type { Handler } from './handler.ts';

/** Milliseconds for one post. */
const MAX_POST_MS = 15_000;

/**
 * Posts each event as JSON to an address of the user's: it has dealt with the event when it answers 2xx. No redirect is
 * followed and no key travels; the event's id is the idempotency key.
 */
export function forwardHandler(address: string, fetch: Fetch): Handler {
  const url = readUrl(address);
  return async ({ id, text }) => {
    const headers = { 'content-type': 'application/json', 'idempotency-key': id };
    try {
      const response = await fetch(url, {
        method: 'POST',
        headers,
        body: text,
        redirect: 'manual',
        deadline: MAX_POST_MS,
      });
      await response.body?.cancel();
      return response.ok ? undefined : `${new URL(url).origin} answered ${response.status}`;
    } catch (error) {
      return `no answer from ${new URL(url).origin}: ${reasonOf(error)}`;
    }
  };
}

function readUrl(address: string): string {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  const isPlain = url && url.username === '' && url.password === '' && url.hash === '';
  if (isPlain && (url.protocol === 'http:' || url.protocol === 'https:')) return url.href;
  // What stands here could hold a secret: it is not repeated.
  throw new MacroError('usage', 'The address of --forward is none that can be posted to.', {
    code: 'bad_forward',
    hint: 'Give one like http://127.0.0.1:9000/events, without user name and fragment.',
  });
}

/** `fetch` wraps what happened; the reason is at the bottom. */
function reasonOf(error: unknown): string {
  let found = error;
  while (found instanceof Error && found.cause instanceof Error) found = found.cause;
  if (!(found instanceof Error)) return String(found);
  return 'code' in found && typeof found.code === 'string' ? found.code : found.message;
}
