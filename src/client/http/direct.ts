import type { PartialMark } from '../../contract/answer-members.ts';
import { MARK_MEMBER } from '../../contract/json/body.ts';
import { isJsonObject, type JsonObject, objectIn, parseJson } from '../../contract/json/json.ts';
import { MacroError } from '../../errors.ts';
import { keyInUrl } from '../create.ts';
import { readMark } from './answer.ts';
import type { RawReply } from './reply.ts';
import { KEY_NAMES } from './request.ts';
import type { TimeBudget } from './retry.ts';
import { scrub } from './scrub.ts';
import type { Wire, WireCall } from './wire.ts';

/** A request that somebody wrote by hand. */
export type DirectRequest = Pick<WireCall, 'method' | 'target' | 'body' | 'signal'>;

/** Its answer, as it came. */
export interface DirectReply {
  readonly status: number;
  /** By name; the key and whatever else lets somebody in is taken out. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: string;
  readonly notes: readonly string[];
  readonly synthetic: boolean;
  /** The mark of a partial answer of a mirror, in its body or in a header. */
  readonly partial?: PartialMark;
}

/** Headers whose value lets somebody in. */
const PRIVATE: ReadonlySet<string> = new Set(['authorization', 'cookie', 'set-cookie', 'x-api-key']);

/** Further query names that people put a key under. */
const KEY_WORDS: ReadonlySet<string> = new Set(['key', 'token', 'access_token']);

/**
 * Sends a request by hand with the rules of all others; only reads are tried again.
 * @throws MacroError of kind `usage`.
 */
export async function sendDirect(wire: Wire, request: DirectRequest): Promise<DirectReply> {
  const { method, target, body, signal } = request;
  const { secret } = wire;
  if (secret !== undefined && holds(target, secret)) throw keyInUrl();
  if (secret !== undefined && body?.includes(secret)) throw keyInBody();
  const isRead = method === 'GET';
  const attempt = async (time?: TimeBudget): Promise<DirectReply> => {
    const reply = await wire.exchange({ ...request, changes: !isRead, ...(time && { time }) });
    const { status, headers } = reply;
    if (status < 200 || status > 299) throw wire.refusal(reply, target);
    return {
      status,
      headers: [...headers].map(([name, value]) => [name, PRIVATE.has(name) ? '[redacted]' : scrub(value, secret)]),
      body: reply.text,
      notes: wire.newNotes(target, headers),
      synthetic: headers.get(`${wire.headerPrefix}-Synthetic`)?.trim() === '1',
      ...partialOf(reply, wire),
    };
  };
  return isRead ? wire.retrying(attempt, signal) : wire.once(attempt, signal);
}

/** The missing parts that an answer names, in a member of its body or in a header. */
function partialOf({ text, headers }: RawReply, wire: Wire): Pick<DirectReply, 'partial'> {
  const mark = text.includes(`"${MARK_MEMBER}"`) ? markIn(text) : undefined;
  const isToldInHeader = headers.get(`${wire.headerPrefix}-Mirror`)?.trim() === 'partial';
  return mark || isToldInHeader ? { partial: readMark(mark) } : {};
}

function markIn(text: string): JsonObject | undefined {
  // Bodies are printed as they come, JSON or not.
  const mark = objectIn(parseJson(text))[MARK_MEMBER];
  return isJsonObject(mark) && mark.complete === false ? mark : undefined;
}

/** A typed path as it is sent, `/api/v1/...` as `/v1/...`. @throws MacroError of kind `usage`. */
export function readDirectTarget(typed: string, query: readonly (readonly [string, string])[] = []): string {
  const text = typed.startsWith('/') ? typed : `/${typed}`;
  // The text here could be a secret, so no message repeats it.
  if (/^[a-z][a-z0-9+.-]*:/i.test(typed) || text.startsWith('//') || text.includes('\\'))
    throw badPath('Give a path, not an address: the configured service is asked.');
  if (text.includes('#')) throw badPath('A path has no fragment.');
  const [path = '', ...rest] = text.split('?');
  if (path.split('/').some((part) => /^(\.|%2e){1,2}$/i.test(part)))
    throw badPath('A path has no dots between slashes.');
  const url = new URL(`http://path.invalid${path.replace(/^\/api(?=\/(v1\/|openapi\.json$))/, '')}`);
  if (rest.length > 0) url.search = rest.join('?');
  for (const [name, value] of query) url.searchParams.append(name, value);
  for (const name of url.searchParams.keys()) refuseKey(name);
  // Commas are legal in a query and are how lists are written; escaped ones read badly.
  return `${url.pathname}${url.search.replaceAll('%2C', ',')}`;
}

function refuseKey(name: string): void {
  const word = name.toLowerCase();
  if (!KEY_NAMES.has(word) && !KEY_WORDS.has(word)) return;
  throw new MacroError('usage', `A key is never sent as the parameter ${word}: URLs end up in logs.`, {
    hint: 'Give the key with MACRO_API_KEY or: macro auth login',
  });
}

function holds(target: string, secret: string): boolean {
  const spelled = (text: string) => text.includes(secret) || text.includes(encodeURIComponent(secret));
  const { searchParams } = new URL(`http://path.invalid${target}`);
  return spelled(target) || [...searchParams.values()].some(spelled);
}

function keyInBody(): MacroError {
  return new MacroError('usage', 'The body contains the API key, which is sent in a header only.', {
    hint: 'Leave it out: the key is sent by itself.',
  });
}

function badPath(message: string): MacroError {
  return new MacroError('usage', message, { code: 'bad_path', hint: 'Type it like /v1/forex/EUR/USD?limit=5.' });
}
